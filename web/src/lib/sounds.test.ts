import { describe, expect, it, vi } from 'vitest';
import { Sounds, type Sound } from './sounds';

function fake(): { context: AudioContext; started: () => number; time: (now: number) => void } {
  let started = 0;
  const node = (): Record<string, unknown> => {
    const made: Record<string, unknown> = {
      gain: { value: 0, setValueAtTime: vi.fn(), linearRampToValueAtTime: vi.fn(), exponentialRampToValueAtTime: vi.fn() },
      frequency: { value: 0 },
      start: () => (started += 1),
      stop: vi.fn(),
    };
    made.connect = (next: unknown) => next;
    return made;
  };
  const context = {
    currentTime: 1,
    sampleRate: 8000,
    state: 'suspended',
    destination: node(),
    resume: vi.fn(() => Promise.resolve()),
    createGain: node,
    createOscillator: node,
    createBufferSource: node,
    createBiquadFilter: node,
    createBuffer: (_: number, length: number) => ({ getChannelData: () => new Float32Array(length) }),
  };
  return {
    context: context as unknown as AudioContext,
    started: () => started,
    time: (now) => (context.currentTime = now),
  };
}

describe('sounds', () => {
  it('are off by default and make no audio context', () => {
    const make = vi.fn(() => null);
    expect(new Sounds(make).play('dice')).toBe(false);
    expect(make).not.toHaveBeenCalled();
  });

  it.each<Sound>(['dice', 'shot', 'step', 'turn'])('play %s when they are on', (sound) => {
    const audio = fake();
    const sounds = new Sounds(() => audio.context);
    sounds.on = true;
    expect(sounds.play(sound)).toBe(true);
    expect(audio.started()).toBeGreaterThan(0);
    expect(audio.context.resume).toHaveBeenCalled();
  });

  it('do not stutter, and are still at volume nought', () => {
    const audio = fake();
    const sounds = new Sounds(() => audio.context);
    sounds.on = true;
    expect(sounds.play('step')).toBe(true);
    expect(sounds.play('step')).toBe(false);
    audio.time(2);
    expect(sounds.play('step')).toBe(true);
    sounds.volume = -3;
    expect(sounds.volume).toBe(0);
    audio.time(3);
    expect(sounds.play('step')).toBe(false);
  });

  it('do without where the browser has no audio', () => {
    const sounds = new Sounds(() => null);
    sounds.on = true;
    expect(sounds.play('turn')).toBe(false);
  });
});
