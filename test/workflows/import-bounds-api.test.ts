import { beforeEach, describe, expect, test } from '@jest/globals';
import { APIS, callThrough, dataOf, expectFailure, type Result } from '../support/apis.js';
import { expectError } from '../support/matchers.js';
import { IMPORT, METADATA } from '../support/oscal.js';
import { startSeededGateway } from '../support/seeded-gateway.js';

const { gateway, testData } = await startSeededGateway();
beforeEach(async () => {
  await gateway.app.database.rows('delete from workflow_import');
});

const FACTS = { id: 'house-rules', name: 'House', version: '1', source: { text: 'Ours' }, licence: 'Ours' };
const control = (id: string, more: object = {}) => ({ id, label: `Do ${id}`, kind: 'control', ...more });
const textOf = (more: object) => JSON.stringify({ ...FACTS, ...more });
const empty = (count: number) => Array.from({ length: count }, () => ({}));
/** The JSON text of a list of so many empty objects, built without the objects. */
const emptyText = (count: number) => `[${'{},'.repeat(count - 1)}{}]`;
const catalogText = (controls: string) => `{"catalog":{"metadata":${JSON.stringify(METADATA)},"controls":${controls}}}`;
const TOO_MUCH = ['workflow: has more structure than a workflow of 2,000 controls'];

describe.each(APIS)('an import through %s', (api) => {
  const send = (input: object) =>
    callThrough(api, gateway, IMPORT, { organization_id: testData.organizationId, ...input }, testData.manager.token);
  const refused = (result: Result, messages: string[]) => expectFailure(result, 'BAD_USER_INPUT', messages);

  test('is refused for the number of its controls alone when there are too many', async () => {
    const tooMany = 'controls: must NOT have more than 2000 items';
    refused(await send({ ...FACTS, controls: empty(2_001) }), ['controls must not have more than 2000 items']);
    refused(await send({ text: textOf({ hue: 'red', controls: empty(2_001) }) }), [tooMany]);
    const yaml = (line: string) => `id: House\nhue: red\ncontrols: ${line}`;
    const inYaml = tooMany.replace(':', ' (line 3):');
    refused(await send({ text: yaml(emptyText(10_000)) }), [inYaml]);
    refused(await send({ text: yaml(`\n${'- {}\n'.repeat(10_000)}`) }), [inYaml.replace('3', '4')]);
  });

  test.each([100_000, 333_000])('of %i controls in a text is refused before it is read', async (count) => {
    refused(await send({ text: `{"id":"a","controls":${emptyText(count)}}` }), TOO_MUCH);
    refused(await send({ text: `id: a\ncontrols: ${emptyText(count)}` }), TOO_MUCH);
  });

  test('of 1.6 million values is refused, in a text as well', async () => {
    refused(await send({ text: catalogText(emptyText(1_600_000)) }), TOO_MUCH);
  });

  test('of a catalog is read until 50 errors are found, or more controls than a workflow may have', async () => {
    const wrong = await send({ text: catalogText(emptyText(200_000)) });
    expect(wrong.messages).toHaveLength(50);
    expect(wrong.messages?.[49]).toBe('catalog.controls[24].title: must be a text');
    const right = `[${'{"id":"a","title":"A"},'.repeat(100_000)}{}]`;
    refused(await send({ text: catalogText(right) }), ['controls: must NOT have more than 2000 items']);
  });

  test('reports the first 50 errors of many, in the places where they are', async () => {
    const controls = Array.from({ length: 2_000 }, (_, n) =>
      n % 2 ? control(`C${n}`) : control(`C${n}`, { kind: 'x' }),
    );
    const { messages } = await send({ text: textOf({ controls }) });
    expect(messages).toHaveLength(50);
    expect([messages?.[0], messages?.[49]]).toEqual(
      [0, 98].map((index) => `controls[${index}].kind: must be one of control, task`),
    );
    refused(await send({ text: textOf({ controls: [control('a'), control('b', { label: '' }), control('c')] }) }), [
      'controls[1].label: must match pattern "^\\S(.*\\S)?$"',
    ]);
  });

  test('is refused for lists and keys that are too many wherever they are', async () => {
    const entities = Array.from({ length: 60_000 }, () => 'essential');
    refused(await send({ text: textOf({ controls: [control('a', { entities })] }) }), [
      'controls[0].entities: must NOT have more than 2 items',
    ]);
    const keys = Object.fromEntries(Array.from({ length: 30_000 }, (_, n) => [`k${n}`, '1']));
    refused(await send({ text: textOf(keys) }), ['workflow: must NOT have more than 50 keys']);
    const lines = Object.keys(keys).map((key) => `${key}: 1\n`);
    refused(await send({ text: lines.slice(0, 12_000).join('') }), [
      'workflow (line 1): must NOT have more than 50 keys',
    ]);
    const pairs = [{ control: 'A.5.1', matches: Array.from({ length: 40_000 }, () => '') }];
    const mapping = {
      ...FACTS,
      name: undefined,
      version: undefined,
      from: 'iso-27001-2022',
      to: 'nis2-directive',
      pairs,
    };
    refused(await send({ mode: 'MAPPING', text: JSON.stringify(mapping) }), [
      'pairs[0].matches: must NOT have more than 200 items',
    ]);
  });

  test('has every repeated key of YAML reported by its line, 50 at most', async () => {
    refused(await send({ text: 'id: a\nname: b\nid: c\ncontrols:\n  - id: a\n    id: b\n' }), [
      'workflow (line 3): has a key twice: keys must be unique',
      'workflow (line 6): has a key twice: keys must be unique',
    ]);
    const { messages } = await send({ text: 'id: a\n'.repeat(5_000) });
    expect(messages).toHaveLength(50);
  });

  test('may have 2,000 controls with a catalog that has as many as 500,000 values besides', async () => {
    const controls = Array.from({ length: 2_000 }, (_, n) => ({ id: `c-${n}`, title: 'C', links: empty(20) }));
    expect(dataOf(await send({ text: catalogText(JSON.stringify(controls)) }))).toMatchObject({ controls: 2_000 });
  });
});

describe('a body of REST', () => {
  const post = (body: string) =>
    gateway.rest.post(`/api/v1/v-ciso/organizations/${testData.organizationId}/available-workflows`, {
      token: testData.manager.token,
      body,
      headers: { 'content-type': 'application/json' },
    });

  test('has 500,000 values at most, counted before it is parsed', async () => {
    expectError(await post(`{"controls":${emptyText(1_600_000)}}`), 400, [
      'The body must not have more than 500000 values',
    ]);
  });

  test('is refused for what is wrong behind all that is reported of a long one', async () => {
    const pairs = Array.from({ length: 2_000 }, (_, n) => ({
      control: `C${n}`,
      matches: ['A.5.1', n === 1_999 ? true : 'B'],
    }));
    const { status, body } = await post(JSON.stringify({ mode: 'MAPPING', id: 'long', pairs }));
    expect([status, body.messages]).toEqual([400, [expect.stringMatching(/^pairs\[1999\]\.matches\[1\] must be /)]]);
  });
});
