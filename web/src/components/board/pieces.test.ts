import { describe, expect, it } from 'vitest';
import { tableUnits } from '../../../test/small-table';
import { findTroops, plateText, ridersOf, troopAt } from './pieces';

const [squad, second] = tableUnits();

describe('units on a table', () => {
  it('have one hull where they stand together, and a link to whom they left behind', () => {
    const [whole] = findTroops([squad!]);
    expect([whole!.hulls.length, whole!.links.length]).toEqual([1, 0]);
    const models = squad!.models.map((model, i) => (i === 3 ? { ...model, x: model.x + 12 } : model));
    const [parted] = findTroops([{ ...squad!, models }]);
    expect([parted!.hulls.length, parted!.links.length]).toEqual([2, 1]);
    expect(parted!.middle.x).toBeLessThan(22);
  });

  it('are meant by their bases where hulls lie over each other', () => {
    const among = { ...second!, models: second!.models.map((model, i) => ({ ...model, x: 18.5 + i * 3, y: 26.2 })) };
    const troops = findTroops([squad!, among]);
    expect(troopAt(troops, { x: 18.5, y: 26.2 }, squad!.id)).toBe(among.id);
    expect(troopAt(troops, { x: squad!.models[0]!.x, y: 25 }, among.id)).toBe(squad!.id);
    expect(troopAt(troops, { x: 20, y: 30 }, squad!.id)).toBe(squad!.id);
  });

  it('show who rides in them', () => {
    const rider = { ...second!, id: 'b9', models: [], with_unit: squad!.id };
    const [tag] = ridersOf(findTroops([squad!]), [squad!, rider], 1);
    expect([tag!.unit.id, tag!.y > 25.5]).toEqual(['b9', true]);
  });

  it('have their name on the plate where it leaves room for the others', () => {
    const [short, name] = ['Mor', 'Mortar team 1'];
    expect([true, false].map((near) => plateText({ ...squad!, short, name }, near))).toEqual([name, short]);
    expect(plateText({ ...squad!, short, name: 'American medium mortar team with spotter' }, true)).toBe(short);
    expect(plateText({ ...squad!, short: '', name }, false)).toBe(name);
  });
});
