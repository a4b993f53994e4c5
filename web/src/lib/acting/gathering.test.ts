import { describe, expect, it } from 'vitest';
import { choicesFor, marksOf, modelName } from './choices';
import { clickModel, type ClickContext } from './meaning';
import { homesOf, situationOf, togglesOf } from './situation';
import { unit } from '../normalise-view';
import { option, question } from '../../../test/asks';
import { quickOptions } from './bar';

const homes = homesOf([
  unit({ id: 'b1', side: 'blue', place: '10,10', models: [{ id: 't1', x: 9, y: 10, length: 2, width: 4 }, { id: 't2', x: 14, y: 10, length: 2, width: 4 }] }),
  unit({ id: 'r1', side: 'red', place: '10,40', models: [{ id: 't1', x: 10, y: 40, length: 2, width: 4 }] }),
]);
const teams = question(
  [option('team t1', { unit: 'b1', model: 't1' }), option('team t2', { unit: 'b1', model: 't2' }), option('done', { label: 'That is all' })],
  { quiet: false },
);

function sceneOf(ask: typeof teams): ClickContext {
  const situation = situationOf(ask);
  const marks = marksOf(choicesFor(situation, '', null, homes));
  return { situation, selected: null, me: 'blue', homes, marks, pending: null, confirm: true, table: true };
}

describe('single stands', () => {
  it('are marked one by one, and are no buttons of the bar', () => {
    const scene = sceneOf(teams);
    expect([...scene.marks.models.keys()]).toEqual([modelName('b1', 't1'), modelName('b1', 't2')]);
    expect(scene.marks.models.get('b1/t2')![0]!.spot).toEqual({ unit: 'b1', model: 't2', place: '14,10' });
    expect(quickOptions(scene.situation!, homes)).toEqual([]);
  });

  it('are taken in by one click while it can be said that they are all', () => {
    const scene = sceneOf(teams);
    expect(togglesOf(scene.situation!).map(({ key }) => key)).toEqual(['team t1', 'team t2']);
    expect(clickModel(scene, 'b1', 't2')).toMatchObject({ do: 'answer', choice: { keys: ['team t2'] } });
    expect(clickModel(scene, 'b1', 't9')).toEqual({ do: 'nothing' });
    const one = situationOf(question(teams.options.slice(0, 2)));
    expect(togglesOf(one)).toEqual([]);
  });

  it('of the enemy are shown first what happens to them', () => {
    const scene = sceneOf(question([option('at r1 t1', { unit: 'b1', target: 'r1', target_model: 't1' })], { quiet: false }));
    expect(clickModel(scene, 'r1', 't1')).toMatchObject({ do: 'preview', spot: { unit: 'r1', model: 't1' } });
  });
});
