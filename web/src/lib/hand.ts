/** What a hand does on a table; lengths in units of the board. */

/** What is done with the unit that is being put somewhere. */
export type Hand =
  | { what: 'move'; x: number; y: number }
  | { what: 'model'; model: string; x: number; y: number }
  | { what: 'model-head'; model: string; degrees: number }
  | { what: 'turret'; model: string; degrees: number }
  | { what: 'head'; degrees: number }
  | { what: 'turn'; by: number }
  | { what: 'spot'; key: string }
  | { what: 'drop' }
  | { what: 'confirm' };

/** An end of the tape: a point, and the unit whose base is there. */
export interface End {
  x: number;
  y: number;
  unit: string;
}
