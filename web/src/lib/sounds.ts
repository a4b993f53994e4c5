/** Four small sounds, made by WebAudio on the spot: nothing is loaded. Off until somebody turns them on. */

export type Sound = 'dice' | 'shot' | 'step' | 'turn';

type Maker = (context: AudioContext, out: AudioNode, at: number) => void;

/** A burst of noise through a filter that fades. */
function burst(
  context: AudioContext,
  out: AudioNode,
  at: number,
  seconds: number,
  loud: number,
  type: BiquadFilterType,
  pitch: number,
): void {
  const length = Math.max(1, Math.ceil(context.sampleRate * seconds));
  const buffer = context.createBuffer(1, length, context.sampleRate);
  const data = buffer.getChannelData(0);
  for (let index = 0; index < length; index += 1) data[index] = (Math.random() * 2 - 1) * (1 - index / length) ** 2;
  const source = context.createBufferSource();
  source.buffer = buffer;
  const filter = context.createBiquadFilter();
  filter.type = type;
  filter.frequency.value = pitch;
  const gain = context.createGain();
  gain.gain.value = loud;
  source.connect(filter).connect(gain).connect(out);
  source.start(at);
}

/** A soft bell. */
function bell(context: AudioContext, out: AudioNode, at: number, pitch: number, seconds: number, loud: number): void {
  const tone = context.createOscillator();
  tone.type = 'sine';
  tone.frequency.value = pitch;
  const gain = context.createGain();
  gain.gain.setValueAtTime(0, at);
  gain.gain.linearRampToValueAtTime(loud, at + 0.01);
  gain.gain.exponentialRampToValueAtTime(0.0001, at + seconds);
  tone.connect(gain).connect(out);
  tone.start(at);
  tone.stop(at + seconds + 0.05);
}

const MAKERS: Record<Sound, Maker> = {
  dice(context, out, at) {
    for (let click = 0; click < 7; click += 1) {
      const when = at + click * 0.05 + Math.random() * 0.025;
      burst(context, out, when, 0.03, 0.5 - click * 0.05, 'bandpass', 2200 + Math.random() * 1400);
    }
  },
  shot(context, out, at) {
    burst(context, out, at, 0.05, 0.8, 'highpass', 900);
    burst(context, out, at, 0.4, 0.6, 'lowpass', 420);
  },
  step(context, out, at) {
    burst(context, out, at, 0.06, 0.35, 'lowpass', 500);
    burst(context, out, at + 0.16, 0.06, 0.28, 'lowpass', 430);
  },
  turn(context, out, at) {
    bell(context, out, at, 523.25, 0.5, 0.25);
    bell(context, out, at + 0.14, 783.99, 0.7, 0.22);
  },
};

/** The sounds of the table. `on` and `volume` (0 to 1) follow the settings. */
export class Sounds {
  on = false;
  #volume = 0.5;
  #context: AudioContext | null = null;
  #out: GainNode | null = null;
  #last = new Map<Sound, number>();
  readonly #make: () => AudioContext | null;

  constructor(make: () => AudioContext | null = standard) {
    this.#make = make;
  }

  get volume(): number {
    return this.#volume;
  }

  set volume(value: number) {
    this.#volume = Math.min(1, Math.max(0, value));
    if (this.#out) this.#out.gain.value = this.#volume;
  }

  /** Play a sound, unless they are off, the volume is nought, or the same one has only just begun. */
  play(sound: Sound): boolean {
    if (!this.on || this.#volume === 0) return false;
    this.#context ??= this.#make();
    const context = this.#context;
    if (!context) return false;
    if (!this.#out) {
      this.#out = context.createGain();
      this.#out.gain.value = this.#volume;
      this.#out.connect(context.destination);
    }
    // A browser lets a page sound only after a click; until then the context sleeps and the sound is lost.
    if (context.state === 'suspended') void context.resume();
    const now = context.currentTime;
    if (now - (this.#last.get(sound) ?? -1) < 0.12) return false;
    this.#last.set(sound, now);
    MAKERS[sound](context, this.#out, now + 0.01);
    return true;
  }
}

function standard(): AudioContext | null {
  return typeof AudioContext === 'undefined' ? null : new AudioContext();
}

/** The one set of sounds of the page. */
export const sounds = new Sounds();
