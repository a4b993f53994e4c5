/**
 * The records of the server's schema under friendly names, with every field there: `normalise.ts` fills in at the
 * border what the server leaves out, and the rest of the client works with complete records.
 */
import type { components } from './schema';

type Schemas = components['schemas'];

/** A record all of whose fields, and theirs, are there. */
type Whole<T> = T extends object ? { [Name in keyof T]-?: Whole<T[Name]> } : T;

// ---- what a side sees ---------------------------------------------------------------------------------

/** An end of a line on the board: a unit by its id, or a place. Which of the two is said, and never guessed. */
export type SightEnd = { unit: string } | { place: string };

export type Option = Whole<Schemas['Option']>;
export type ModelView = Whole<Schemas['ModelView']>;
export type UnitView = Whole<Schemas['UnitView']>;
export type MarkerView = Whole<Schemas['MarkerView']>;
export type GraphicView = Whole<Schemas['GraphicView']>;
export type FormationView = Whole<Schemas['FormationView']>;
export type TallyLine = Whole<Schemas['TallyLine']>;
export type TallyView = Whole<Schemas['TallyView']>;
export type LogLine = Whole<Schemas['LogLine']>;
export type DiceView = Whole<Schemas['DiceView']>;
export type DiceThing = Whole<Schemas['DiceThing']>;
export type Form = Whole<Schemas['Form']>;
export type ModelPose = Whole<Schemas['ModelPose']>;
export type AreaView = Whole<Schemas['AreaView']>;
/** A field of a form; that it has fields of its own in its rows keeps it from being made whole by `Whole`. */
export type Field = Required<Omit<Schemas['Field'], 'fields' | 'choices'>> & { choices: Required<Schemas['FieldChoice']>[]; fields: Field[] };
export type DraftView = Whole<Schemas['DraftView']>;
export type PreviewView = Whole<Schemas['PreviewView']>;
export type AskView = Whole<Schemas['AskView']>;
export type Result = Whole<Schemas['Result']>;
export type ChangeView = Whole<Schemas['ChangeView']>;
export type Chance = Whole<Schemas['Chance']>;
export type AssumedView = Whole<Schemas['AssumedView']>;
export type OddsView = Whole<Schemas['OddsView']>;
export type Journey = Whole<Schemas['Journey']>;
export type Branch = Whole<Schemas['Branch']>;
export type Prospect = Whole<Schemas['Prospect']>;
export type BarView = Whole<Schemas['BarView']>;
export type LuckView = Whole<Schemas['LuckView']>;
export type GoalView = Whole<Schemas['GoalView']>;
export type View = Whole<Schemas['View']>;
/** A track: by side or by name a number, a word, a list or a record. */
export type Track = View['tracks'][string];

// ---- aids ---------------------------------------------------------------------------------------------

export type HexView = Whole<Schemas['HexView']>;
export type BoardView = Whole<Schemas['BoardView']>;
export type Crossed = Whole<Schemas['Crossed']>;
export type SightThread = Whole<Schemas['SightLine']>;
export type SightView = Whole<Schemas['SightView']>;
export type Ring = Whole<Schemas['Ring']>;
export type Seen = Whole<Schemas['Seen']>;
export type Fan = Whole<Schemas['Fan']>;
export type FieldView = Whole<Schemas['FieldView']>;
export type ChartView = Whole<Schemas['ChartView']>;
export type Charts = Whole<Schemas['Charts']>;
export type RuleView = Whole<Schemas['RuleView']>;
export type VerbHelp = Whole<Schemas['VerbHelp']>;
export type Term = Whole<Schemas['Term']>;
export type Cue = Whole<Schemas['Cue']>;
export type LessonLine = Whole<Schemas['LessonLine']>;
export type LessonStep = Whole<Schemas['LessonStep']>;
export type Lesson = Whole<Schemas['Lesson']>;

// ---- the lobby ----------------------------------------------------------------------------------------

export type Level = Whole<Schemas['Level']>;
export type Force = Whole<Schemas['Force']>;
export type Card = Whole<Schemas['Card']>;
export type Choice = Whole<Schemas['Choice']>;
export type GameCard = Whole<Schemas['GameCard']>;
export type Lobby = Whole<Schemas['Lobby']>;
export type SeatKey = Whole<Schemas['SeatKey']>;
export type SeatView = Whole<Schemas['SeatView']>;
export type Made = Whole<Schemas['Made']>;
export type NewBattle = Schemas['NewBattle'];
export type ImportBattle = Schemas['ImportBattle'];

// ---- a battle -----------------------------------------------------------------------------------------

export type Battle = Whole<Schemas['Battle']>;
export type Mode = Battle['mode'];
export type Frame = Whole<Schemas['Frame']>;
export type StandingOrder = Whole<Schemas['StandingOrder']>;
export type Update = Whole<Schemas['Update']>;
export type TakeBack = Whole<Schemas['TakeBack']>;
export type TakingBack = Schemas['TakingBack'];
export type Taken = Whole<Schemas['Taken']>;
export type NewOrder = Schemas['NewOrder'];
export type Waiting = Update['waiting'];
export type EndView = Whole<Schemas['EndView']>;
export type Weighed = Whole<Schemas['Weighed']>;
export type ThoughtView = Whole<Schemas['ThoughtView']>;
export type Thoughts = Whole<Schemas['Thoughts']>;
export type Shared = Whole<Schemas['Shared']>;
export type Moment = Whole<Schemas['Moment']>;
export type Problem = Whole<Schemas['Problem']>;
