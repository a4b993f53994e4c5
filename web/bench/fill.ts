/** A fixture as the server would send it, with every field there. */
import * as normalise from '../src/lib/normalise';
import type { BoardView, FieldView, Prospect, SightView, View } from '../src/lib/types';

export interface Fixture {
  board: BoardView;
  view: View;
  field: FieldView | null;
  sight: SightView | null;
  prospect: Prospect | null;
}

export function filled(raw: Record<keyof Fixture, unknown>): Fixture {
  return {
    board: normalise.board(raw.board),
    view: normalise.view(raw.view),
    field: raw.field ? normalise.field(raw.field) : null,
    sight: raw.sight ? normalise.sight(raw.sight) : null,
    prospect: raw.prospect ? normalise.prospect(raw.prospect) : null,
  };
}
