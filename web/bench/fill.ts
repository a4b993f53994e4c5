/** A fixture as the server would send it, with every field there. */
import { board } from '../src/lib/normalise-battle';
import { field, prospect, sight } from '../src/lib/normalise-inquiry';
import { view } from '../src/lib/normalise-view';
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
    board: board(raw.board),
    view: view(raw.view),
    field: raw.field ? field(raw.field) : null,
    sight: raw.sight ? sight(raw.sight) : null,
    prospect: raw.prospect ? prospect(raw.prospect) : null,
  };
}
