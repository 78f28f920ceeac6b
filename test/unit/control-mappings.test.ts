import { expect, it } from '@jest/globals';
import { toWorkflow } from '../../src/services/workflows/catalog-file.js';
import { ControlMappings } from '../../src/services/workflows/control-mappings.js';

const workflow = (id: string, controls: [id: string, parent?: string][]) =>
  toWorkflow({
    ...{ id, name: id, version: '1', source: { text: 'Ours' }, licence: 'Ours' },
    controls: controls.map(([control, parent]) => ({
      ...{ id: control, label: control, kind: 'control' },
      ...(parent !== undefined && { parent }),
    })),
  });
const numbered = (letter: string, count: number) => Array.from({ length: count }, (_, n) => `${letter}${n}`);
const mapping = (pairs: [string, string][], id = 'map') => ({
  ...{ id, from: 'ours', to: 'theirs' },
  pairs: pairs.map(([control, match]) => ({ control, matches: [match] })),
});

const ours = workflow('ours', [['A'], ...numbered('A', 500).map((id): [string, string] => [id, 'A'])]);
const theirs = workflow('theirs', [['B'], ...numbered('B', 39).map((id): [string, string] => [id, 'B'])]);
const toHeading = numbered('A', 500).map((id): [string, string] => [id, 'B']);

it('hands 500 pairs of one heading down in the order of the mapping, and no more than 20,000 pairs in all', () => {
  const mappings = new ControlMappings([mapping(toHeading), mapping([['A', 'B']], 'more')], [ours, theirs]);
  expect(mappings).toMatchObject({ omitted: ['more'], size: 20_000 });
  const matched = numbered('A', 500).map((controlId) => ({ workflowId: 'ours', controlId }));
  expect(mappings.of({ workflowId: 'theirs', controlId: 'B' })).toEqual(matched.map((one) => ({ ...one, via: null })));
  expect(mappings.of({ workflowId: 'theirs', controlId: 'B38' })).toEqual(matched.map((one) => ({ ...one, via: 'B' })));
  expect(mappings.of({ workflowId: 'ours', controlId: 'A7' }).map(({ controlId }) => controlId)).toEqual([
    ...['B', ...numbered('B', 39)],
  ]);
});

it('names the control itself before the heading, whichever comes first, and ignores what is gone', () => {
  const mappings = new ControlMappings(
    [
      mapping([
        ['A', 'B1'],
        ['A1', 'B1'],
        ['A2', 'gone'],
        ['gone', 'B'],
      ]),
    ],
    [ours, theirs],
  );
  expect(mappings.of({ workflowId: 'ours', controlId: 'A1' })).toEqual([
    { workflowId: 'theirs', controlId: 'B1', via: null },
  ]);
  expect(mappings.of({ workflowId: 'ours', controlId: 'A2' })).toEqual([
    { workflowId: 'theirs', controlId: 'B1', via: 'A' },
  ]);
  expect(mappings.of({ workflowId: 'theirs', controlId: 'B' })).toEqual([]);
});
