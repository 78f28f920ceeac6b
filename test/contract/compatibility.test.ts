import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CHANGES, compareWithRelease, writeChanges } from '../../scripts/compatibility.js';
import { schemaChanges } from '../../scripts/contract-changes.js';
import { openApiChanges } from '../../scripts/openapi-changes.js';
import { deprecated } from '../../src/common/deprecation.js';

/** A document with one operation with an object as input and output, after a change of it. */
function described(change: (document: ReturnType<typeof plain>) => void = () => undefined) {
  const document = plain();
  change(document);
  return document;
}

function plain() {
  const json = (name: string) => ({ 'application/json': { schema: { $ref: `#/components/schemas/${name}` } } });
  return {
    paths: {
      '/things/{id}': {
        put: {
          operationId: 'setThing',
          deprecated: false,
          parameters: [
            { name: 'id', in: 'path', required: true, schema: { type: 'integer', minimum: 1 } },
            { name: 'sort', in: 'query', required: false, schema: { type: 'string', enum: ['a', 'b'] } },
          ] as { name: string; in: string; required: boolean; schema: object }[],
          requestBody: { required: false, content: json('ThingInput') } as object,
          responses: {
            '200': { description: 'Done', headers: { ETag: {} } as Record<string, object>, content: json('Thing') },
            '404': { description: 'None', content: json('Error') },
          } as Record<string, { headers?: Record<string, object>; content: object }>,
        },
      } as Record<string, Record<string, unknown>>,
    } as Record<string, Record<string, Record<string, unknown>>>,
    components: {
      schemas: {
        ThingInput: schema({ name: { type: 'string', maxLength: 10 }, size: { type: ['integer', 'null'] } }, ['name']),
        Thing: schema({ name: { type: 'string' }, state: { type: 'string', enum: ['ON', 'OFF'] } }, ['name', 'state']),
        Error: schema({ error: { const: 1 } }, ['error']),
      },
    },
  };
}

const schema = (properties: Record<string, Record<string, unknown>>, required: string[]) => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
});
type Document = ReturnType<typeof plain>;
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- parts of the document above
const put = (document: Document) => document.paths['/things/{id}']!['put'] as any;
const { ThingInput: input, Thing: thing } = { ThingInput: 'ThingInput', Thing: 'Thing' } as const;

const changes = (change: (document: Document) => void) => openApiChanges(described(), described(change), '2026-12-01');

describe('a comparison of two OpenAPI documents', () => {
  test('finds nothing between equal ones, and nothing in texts', () => {
    expect(changes(() => undefined)).toEqual({ breaking: [], additive: [] });
    expect(changes((document) => (put(document).responses['200'].description = 'Other words'))).toEqual({
      breaking: [],
      additive: [],
    });
  });

  test.each<[what: string, change: (document: Document) => void, sentence: string]>([
    ['an operation that is gone', (d) => delete d.paths['/things/{id}']!['put'], 'PUT /things/{id} was removed'],
    ['another operation id', (d) => (put(d).operationId = 'x'), 'PUT /things/{id}: the operation id setThing became x'],
    ['a parameter that is gone', (d) => put(d).parameters.pop(), 'the parameter sort (query) was removed'],
    ['a parameter that is required', (d) => (put(d).parameters[1].required = true), 'sort (query) became required'],
    ['fewer values of a parameter', (d) => put(d).parameters[1].schema.enum.pop(), 'the values b were removed'],
    ['a narrower parameter', (d) => (put(d).parameters[0].schema.minimum = 2), 'minimum became narrower'],
    ['a body that is required', (d) => (put(d).requestBody.required = true), 'the body became required'],
    [
      'an input that is gone',
      (d) => delete d.components.schemas[input].properties['size'],
      'ThingInput.size was removed',
    ],
    [
      'an input that is required',
      (d) => d.components.schemas[input].required.push('size'),
      'ThingInput.size became required',
    ],
    [
      'a new input that is required',
      (d) => {
        d.components.schemas[input].properties['more'] = { type: 'string' };
        d.components.schemas[input].required.push('more');
      },
      'the required ThingInput.more was added',
    ],
    [
      'a shorter text',
      (d) => (d.components.schemas[input].properties['name']!['maxLength'] = 9),
      'maxLength became narrower',
    ],
    [
      'an input that refuses null',
      (d) => (d.components.schemas[input].properties['size']!['type'] = 'integer'),
      'became integer',
    ],
    [
      'an answer that may be null',
      (d) => (d.components.schemas[thing].properties['name']!['type'] = ['string', 'null']),
      'became string | null',
    ],
    ['a field that is gone', (d) => delete d.components.schemas[thing].properties['state'], 'Thing.state was removed'],
    ['a field that may be absent', (d) => d.components.schemas[thing].required.pop(), 'Thing.state may be absent now'],
    ['a status that is gone', (d) => delete put(d).responses['200'], 'status 200 was removed'],
    ['a header that is gone', (d) => delete put(d).responses['200'].headers['ETag'], 'the header ETag was removed'],
    [
      'a keyword that it does not know',
      (d) => (d.components.schemas[thing].properties['name']!['contains'] = {}),
      'contains changed',
    ],
  ])('calls %s breaking', (_what, change, sentence) => {
    const { breaking } = changes(change);
    expect(breaking).toHaveLength(1);
    expect(breaking[0]).toContain(sentence);
  });

  test.each<[what: string, change: (document: Document) => void, sentence: string]>([
    [
      'an operation',
      (d) => (d.paths['/other'] = { get: { operationId: 'other', parameters: [], responses: {} } }),
      'GET /other was added',
    ],
    [
      'a parameter',
      (d) => put(d).parameters.push({ name: 'q', in: 'query', required: false, schema: {} }),
      'q (query) was added',
    ],
    [
      'an input',
      (d) => (d.components.schemas[input].properties['more'] = { type: 'string' }),
      'ThingInput.more was added',
    ],
    ['a field', (d) => (d.components.schemas[thing].properties['more'] = { type: 'string' }), 'Thing.more was added'],
    [
      'a value of an answer',
      (d) => (d.components.schemas[thing].properties['state']!['enum'] as string[]).push('IDLE'),
      'the values IDLE were added',
    ],
    [
      'a longer text',
      (d) => (d.components.schemas[input].properties['name']!['maxLength'] = 11),
      'maxLength became wider',
    ],
    ['a failure', (d) => (put(d).responses['409'] = { content: {} }), 'status 409 was added'],
    ['a deprecation', (d) => (put(d).deprecated = true), 'PUT /things/{id} was deprecated'],
  ])('calls %s that is new additive', (_what, change, sentence) => {
    const { breaking, additive } = changes(change);
    expect(breaking).toEqual([]);
    expect(additive).toHaveLength(1);
    expect(additive[0]).toContain(sentence);
  });
});

const DAYS = { today: '2027-12-01', released: '2026-12-01' };

describe('a comparison of two schemas', () => {
  const before = 'type Query { a: A } type A { x: Int y: E } enum E { ONE }';

  test.each([
    ['type Query { a: A } type A { y: E } enum E { ONE }', ['A.x was removed.'], []],
    [
      'type Query { a(id: ID!): A } type A { x: Int y: E } enum E { ONE }',
      [expect.stringContaining('id')],
      ['Query.a arg id was added.'],
    ],
    ['type Query { a: A } type A { x: Int y: E z: Int } enum E { ONE }', [], ['A.z was added.']],
    ['type Query { a: A } type A { x: Int y: E } enum E { ONE TWO }', [], ['TWO was added to enum type E.']],
  ])('of %s says what breaks a client and what is new', (present, breaking, additive) => {
    expect(schemaChanges(before, present, DAYS)).toEqual({ breaking, additive });
  });
});

describe('what was deprecated', () => {
  const mark = (sunset: string) => {
    const { deprecationReason } = deprecated({ since: '2026-12-01', sunset, use: 'Use `z`.' });
    return `@deprecated(reason: "${deprecationReason}")`;
  };
  const schemaWith = (x: string, argument: string, value: string, field: string) =>
    `type Query { a(p: Int${argument} i: I): A ${field} } type A { z: Int ${x} e: E } type B { q: Int } enum E { ONE ${value} } input I { z: Int y: Int${argument} }`;
  const members = (sunset: string) => {
    const marked = mark(sunset);
    return schemaWith(`x: Int ${marked}`, ` ${marked} `, `TWO ${marked}`, `b: B ${marked}`);
  };
  const without = 'type Query { a(i: I): A } type A { z: Int e: E } enum E { ONE } input I { z: Int }';

  test('may be gone from its day on, with the types that nothing else leads to', () => {
    const { breaking, additive } = schemaChanges(members('2027-12-01'), without, DAYS);
    expect(breaking).toEqual([]);
    expect(additive.toSorted()).toEqual([
      'A.x was removed.',
      'B was removed.',
      'I.y was removed.',
      'Query.a arg p was removed.',
      'Query.b was removed.',
      'TWO was removed from enum type E.',
    ]);
  });

  test('may not be gone a day earlier, whatever the new release says', () => {
    expect(schemaChanges(members('2027-12-02'), without, DAYS).breaking).toHaveLength(6);
    const released = 'type Query { a: Int b: Int }';
    expect(schemaChanges(released, 'type Query { a: Int }', DAYS).breaking).toEqual(['Query.b was removed.']);
  });

  test('is listed when it becomes so, and is not dated back', () => {
    const [before, now] = ['type Query { a: Int b: Int }', `type Query { a: Int b: Int ${mark('2027-12-01')} }`];
    expect(schemaChanges(before, now, DAYS)).toEqual({
      breaking: [],
      additive: ['Query.b was deprecated until 2027-12-01. Use `z`.'],
    });
    expect(schemaChanges(before, now, { ...DAYS, released: '2026-12-02' }).breaking).toEqual([
      'Query.b is deprecated since 2026-12-01, before the release that is compared.',
    ]);
  });

  test('may be gone from REST: an operation, a parameter, a property', () => {
    const marks = (sunset: string) => ({ deprecated: true, 'x-sunset': sunset });
    const released = (sunset: string) =>
      described((d) => {
        d.paths['/old'] = { get: { operationId: 'old', parameters: [], responses: {}, ...marks(sunset) } };
        Object.assign(put(d).parameters[1], marks(sunset));
        for (const name of [input, thing]) {
          d.components.schemas[name].properties['more'] = { type: 'string', ...marks(sunset) };
          d.components.schemas[name].required.push('more');
        }
      });
    const present = described((d) => put(d).parameters.pop());
    const gone = [
      'GET /old was removed',
      'PUT /things/{id}: the parameter sort (query) was removed',
      'Thing.more was removed',
      'ThingInput.more was removed',
    ];
    const onTheDay = openApiChanges(released('2027-12-01'), present, '2027-12-01');
    expect([onTheDay.breaking, onTheDay.additive.toSorted()]).toEqual([[], gone]);
    const before = openApiChanges(released('2027-12-01'), present, '2027-11-30');
    expect([before.breaking.toSorted(), before.additive]).toEqual([gone, []]);
  });
});

describe('the check of a release', () => {
  let root: string;
  const today = '2026-12-20';
  const git = (...words: string[]) =>
    execFileSync('git', ['-c', 'user.name=Test', '-c', 'user.email=test@example.com', ...words], { cwd: root });
  const write = (name: string, text: string) => writeFileSync(join(root, name), text);
  const contracts = (sdl: string) => {
    write('schema.graphql', sdl);
    write('openapi.json', JSON.stringify(plain()));
  };
  const check = (base?: string) => compareWithRelease({ root, base, today });

  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'release-test-'));
    mkdirSync(join(root, 'docs'));
    write(CHANGES, '# Changes\n\nIntroduction.\n\nNothing was released yet. All may change.\n');
    contracts('type Query { a: Int b: Int }');
  });
  afterEach(() => rm(root, { recursive: true }));

  const commit = () => {
    git('add', '.');
    git('commit', '--quiet', '--message', 'release');
  };

  test('compares nothing before the first release, and in a copy without history', () => {
    expect(check()).toEqual({ lines: [], summary: expect.stringContaining('no history') });
    git('init', '--quiet');
    commit();
    contracts('type Query { a: Int }');
    expect(check()).toEqual({ lines: [], summary: expect.stringContaining('Nothing was released') });
    expect(check('HEAD').failure).toContain('Query.b was removed');
  });

  test('compares with the newest release, and writes what is new into its changelog', () => {
    git('init', '--quiet');
    writeChanges(root, '0.1.0', check(), today);
    commit();
    git('tag', 'v0.1.0');
    contracts('type Query { a: Int b: Int c: Int }');
    const first = check();
    expect(first).toEqual({ lines: ['- GraphQL: Query.c was added.'], summary: '1 additions since v0.1.0.' });
    writeChanges(root, '0.2.0', first, today);
    expect(readFileSync(join(root, CHANGES), 'utf8')).toBe(
      `# Changes\n\nIntroduction.\n\n## 0.2.0 (${today})\n\n- GraphQL: Query.c was added.\n\n## 0.1.0 (${today})\n\nThe first release.\n`,
    );
    expect(() => writeChanges(root, '0.2.0', first, today)).toThrow('already');
    commit();
    git('tag', 'v0.2.0');
    contracts('type Query { a: Int b: Int }');
    expect(check().failure).toMatch(/break programs that use v0\.2\.0:\n- GraphQL: Query\.c was removed\.\nKeep what/);
  });

  test('lets a documented exception pass, and moves it to the release', () => {
    git('init', '--quiet');
    writeChanges(root, '0.1.0', check(), today);
    commit();
    git('tag', 'v0.1.0');
    contracts('type Query { c: Int }');
    const released = readFileSync(join(root, CHANGES), 'utf8');
    const exception = '- GraphQL: Query.a was removed. It showed what it must not.';
    write(CHANGES, released.replace('## 0.1.0', `## Not released yet\n\n${exception}\n\n## 0.1.0`));
    expect(check().failure).toMatch(/v0\.1\.0:\n- GraphQL: Query\.b was removed\.\nKeep what/);
    contracts('type Query { b: Int c: Int }');
    expect(check().failure).toBe(undefined);
    writeChanges(root, '0.2.0', check(), today);
    const written = readFileSync(join(root, CHANGES), 'utf8');
    expect(written).toContain(
      `Introduction.\n\n## 0.2.0 (${today})\n\n${exception}\n- GraphQL: Query.c was added.\n\n## 0.1.0`,
    );
  });

  test('fails where the tag of a documented release is missing', () => {
    git('init', '--quiet');
    writeChanges(root, '0.1.0', check(), today);
    expect(check().failure).toContain('git fetch --tags');
  });
});
