import { describe, expect, test } from '@jest/globals';
import { schemaChanges } from '../../scripts/contract-changes.js';
import { openApiChanges } from '../../scripts/openapi-changes.js';

/** A document with one operation that takes and answers a thing, after a change of it. */
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

const changes = (change: (document: Document) => void) => openApiChanges(described(), described(change));

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
    expect(schemaChanges(before, present)).toEqual({ breaking, additive });
  });
});
