import { describe, expect, it } from '@jest/globals';
import {
  buildSchema,
  getIntrospectionQuery,
  getOperationAST,
  graphqlSync,
  parse,
  validate,
  type IntrospectionOptions,
} from 'graphql';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { DOCUMENT_LIMITS, DocumentLimits } from '../../src/graphql/document-limits.js';

const schema = buildSchema(`
  type Query { node: Node, nodes(first: Int, last: Int): NodeConnection }
  type Mutation { touch: Node, mark(input: MarkInput): MarkPayload }
  input MarkInput { ids: [ID!], marks: [Mark!] }
  input Mark { id: ID, tags: [String!] }
  type MarkPayload { marked: [Tagged!], count: Int }
  type Tagged { name: String, tags: [Tag] }
  type Node { id: Int, name: String, child: Node, tags: [Tag], nodes(first: Int): NodeConnection }
  type Tag { name: String }
  type NodeConnection { nodes: [Node], edges: [NodeEdge], totalCount: Int }
  type NodeEdge { cursor: String, node: Node }
`);
schema.getMutationType()!.getFields()['mark']!.extensions = { itemsOf: ['input.ids', 'input.marks'], items: 30 };
const limits = new DocumentLimits(schema);
const errors = (source: string) => limits.errorsOf(parse(source));
const cost = (source: string, variables = {}) => {
  const document = parse(source);
  return limits.costOf(document, getOperationAST(document)!, variables);
};
const nested = (levels: number) => `{ node { ${'child { '.repeat(levels - 2)}id${' }'.repeat(levels - 2)} } }`;
const aliases = (count: number) => `{ node { ${Array.from({ length: count }, (_, n) => `a${n}: id`).join(' ')} } }`;

describe('limits of a document', () => {
  it('let the deepest document pass and refuse one level more', () => {
    expect(errors(nested(DOCUMENT_LIMITS.depth))).toEqual([]);
    expect(errors(nested(DOCUMENT_LIMITS.depth + 1))).toEqual(['The document exceeds the limit of 15 levels']);
  });

  it('count levels through fragments', () => {
    const half = DOCUMENT_LIMITS.depth - 2;
    const source = `query { node { child { ...F } } } fragment F on Node { ${'child { '.repeat(half)}id${' }'.repeat(half)} }`;
    expect(errors(source)).toEqual(['The document exceeds the limit of 15 levels']);
  });

  it('let fifty aliases pass and refuse one more', () => {
    expect(errors(aliases(DOCUMENT_LIMITS.aliases))).toEqual([]);
    expect(errors(aliases(DOCUMENT_LIMITS.aliases + 1))).toEqual(['The document exceeds the limit of 50 aliases']);
  });

  it('count an alias as often as its fragment is spread', () => {
    const spreads = Array.from({ length: 20 }, () => '...F').join(' ');
    expect(errors(`query { node { ${spreads} } } fragment F on Node { a: id b: id c: id }`)).toEqual([
      'The document exceeds the limit of 50 aliases',
    ]);
  });

  it('refuse too many root fields, also when they hide in fragments', () => {
    const fields = Array.from({ length: 11 }, (_, n) => `f${n}: node { id }`).join(' ');
    const source = `query { ...F ...F } fragment F on Query { ${fields} }`;
    expect(errors(source)).toEqual(['The document exceeds the limit of 20 root fields']);
  });

  it('refuse too many directives', () => {
    const fields = Array.from({ length: 51 }, () => 'id @include(if: true)').join(' ');
    expect(errors(`{ node { ${fields} } }`)).toEqual(['The document exceeds the limit of 50 directives']);
  });

  it('refuse fragments in circles', () => {
    const circle = 'fragment A on Node { child { ...B } } fragment B on Node { child { ...A } }';
    const refusal = ['The fragment "A" must not be spread within itself'];
    expect(errors(`query { node { ...A } } ${circle}`)).toEqual(refusal);
    expect(errors('query { ...A } fragment A on Query { ...A }')).toEqual(refusal);
    expect(errors(`query { node { id } } ${circle}`)).toEqual(refusal);
  });

  it('measure fragments that double thirty times without working that often', () => {
    const fragments = Array.from(
      { length: 30 },
      (_, n) => `fragment F${n} on Node { a: id ...F${n + 1} ...F${n + 1} }`,
    ).join(' ');
    const startedAt = process.cpuUsage();
    expect(errors(`query { node { ...F0 } } ${fragments} fragment F30 on Node { id }`)).toEqual([
      'The document exceeds the limit of 50 aliases',
    ]);
    // Exponential growth would be a billion steps, which take minutes: this does not depend on timing.
    expect(process.cpuUsage(startedAt).user).toBeLessThan(5_000_000);
  });

  it('let 20 levels of the description of the schema pass and refuse one more', () => {
    const source = (levels: number) =>
      `{ __type(name: "Node") { ${'ofType { '.repeat(levels - 2)}name${' }'.repeat(levels - 2)} } }`;
    expect(errors(source(DOCUMENT_LIMITS.introspectionDepth))).toEqual([]);
    expect(errors(source(DOCUMENT_LIMITS.introspectionDepth + 1))).toEqual([
      'The document exceeds the limit of 20 levels',
    ]);
  });

  it('count aliases in the description of the schema', () => {
    const types = Array.from({ length: 51 }, (_, n) => `a${n}: types { name }`).join(' ');
    expect(errors(`{ __schema { ${types} } }`)).toEqual(['The document exceeds the limit of 50 aliases']);
  });

  it('count fields that are repeated, through inline fragments as well', () => {
    const again = (count: number) => `{ node { id ${'... { id } '.repeat(count)} } }`;
    expect(errors(again(DOCUMENT_LIMITS.repeatedFields))).toEqual([]);
    expect(errors(again(DOCUMENT_LIMITS.repeatedFields + 1))).toEqual([
      'The document exceeds the limit of 50 repeated fields',
    ]);
  });
});

describe('the limits of the gateway for the description of its schema', () => {
  const whole = buildSchema(readFileSync(resolve(import.meta.dirname, '../../schema.graphql'), 'utf8'));
  const own = new DocumentLimits(whole);
  const costOf = (source: string) => {
    const document = parse(source);
    return own.costOf(document, getOperationAST(document)!, {});
  };
  const everything: IntrospectionOptions = {
    descriptions: true,
    specifiedByUrl: true,
    directiveIsRepeatable: true,
    schemaDescription: true,
    inputValueDeprecation: true,
    experimentalDirectiveDeprecation: true,
    oneOf: true,
  };

  it('let the query of code generators and explorers pass and leave a third of the limits', () => {
    for (const options of [{}, everything, { ...everything, typeDepth: 12 }]) {
      const source = getIntrospectionQuery(options);
      const document = parse(source);
      expect(own.errorsOf(document)).toEqual([]);
      expect(validate(whole, document)).toEqual([]);
      expect(costOf(source)).toBeLessThan((DOCUMENT_LIMITS.cost * 2) / 3);
      expect(source.length).toBeLessThan(DOCUMENT_LIMITS.anonymous.characters);
    }
  });

  it('estimate the fields of the answer within a third', () => {
    const source = getIntrospectionQuery(everything);
    const { data } = graphqlSync({ schema: whole, source });
    const estimate = costOf(source) / 0.4;
    expect(estimate).toBeGreaterThan((fieldsIn(data) * 2) / 3);
    expect(estimate).toBeLessThan((fieldsIn(data) * 3) / 2);
  });

  it('refuse by their cost many lists of all types, and the largest types again and again', () => {
    const many = (count: number, field: string) => Array.from({ length: count }, (_, n) => `a${n}: ${field}`).join(' ');
    const types = 'types { name fields { name args { name } type { name } } }';
    const type = '__type(name: "Mutation") { fields { name type { fields { name args { name description } } } } }';
    expect(costOf(`{ __schema { ${types} } }`)).toBeLessThan(DOCUMENT_LIMITS.cost);
    expect(costOf(`{ __schema { ${many(50, types)} } }`)).toBeGreaterThan(DOCUMENT_LIMITS.cost);
    expect(costOf(`{ ${many(20, type)} }`)).toBeGreaterThan(
      fieldsIn(graphqlSync({ schema: whole, source: `{${type}}` }).data) * 5,
    );
  });
});

function fieldsIn(value: unknown): number {
  if (Array.isArray(value)) return value.reduce((sum: number, item) => sum + fieldsIn(item), 0);
  if (typeof value !== 'object' || value === null) return 0;
  return Object.values(value).reduce((sum: number, item) => sum + 1 + fieldsIn(item), 0);
}

describe('the cost of an operation', () => {
  it('is one for each field', () => {
    expect(cost('{ node { id name } }')).toBe(3);
  });

  it('counts the items of a page as often as the page has items', () => {
    expect(cost('{ nodes(first: 10) { totalCount nodes { id name } } }')).toBe(1 + 1 + 1 + 2 * 10);
    expect(cost('{ nodes(last: 7) { edges { cursor node { id } } } }')).toBe(1 + 1 + 3 * 7);
  });

  it('takes the default page where none is requested', () => {
    expect(cost('{ nodes { nodes { id } } }')).toBe(1 + 1 + 50);
  });

  it('multiplies pages within pages', () => {
    expect(cost('{ nodes(first: 10) { nodes { nodes(first: 10) { nodes { id } } } } }')).toBe(2 + 10 * (1 + 1 + 10));
    const fragment = 'fragment F on NodeConnection { nodes { id } }';
    expect(cost(`{ a: nodes(first: 2) { ...F } b: nodes(first: 10) { ...F } } ${fragment}`)).toBe(2 + 2 + 2 + 10);
  });

  it('reads the size of a page from a variable, and takes the largest where it is none', () => {
    const source = 'query($n: Int) { nodes(first: $n) { nodes { id } } }';
    expect(cost(source, { n: 3 })).toBe(2 + 3);
    expect(cost(source, {})).toBe(2 + 100);
    expect(cost(source, { n: 'many' })).toBe(2 + 100);
    expect(cost(source, { n: 1e9 })).toBe(2 + 100);
  });

  it('counts plain lists', () => {
    expect(cost('{ node { tags { name } } }')).toBe(1 + 1 + 20);
  });

  it('counts a list whose items the input names as often as that has items, and lists in it as others', () => {
    const mark = (input: string, variables = '') => `mutation ${variables} { mark(input: ${input}) { count ...F } }
      fragment F on MarkPayload { marked { name tags { name } } }`;
    const of = (items: number) => 1 + 1 + 1 + items * (1 + 1 + 20);
    expect(cost(mark('{ ids: [1, 2, 3] }'))).toBe(of(3));
    expect(cost(mark('{ marks: [{ id: 1, tags: ["a", "b"] }, { id: 2 }] }'))).toBe(of(2));
    expect(cost(mark('{ ids: 7 }'))).toBe(of(1));
    expect(cost(mark('{ ids: null }'))).toBe(of(1));
    expect(cost(mark(`{ ids: [${'1,'.repeat(40)}] }`))).toBe(of(30));
    for (const [input, variables, sent] of [
      ['$input', '($input: MarkInput)', (ids: unknown) => ({ input: { ids } })],
      ['{ ids: $ids }', '($ids: [ID!])', (ids: unknown) => ({ ids })],
    ] as const) {
      const document = parse(mark(input, variables));
      const costOf = (values: object) => limits.costOf(document, getOperationAST(document)!, values as never);
      for (const [ids, items] of [
        [[], 1],
        [[1, 2], 2],
        [Array(25).fill(1), 25],
        [Array(40).fill(1), 30],
        [7, 1],
        [null, 1],
      ] as const)
        expect([ids, costOf(sent(ids))]).toEqual([ids, of(items)]);
      expect(costOf({})).toBe(of(30));
    }
    const both = 'mutation ($a: MarkInput, $b: MarkInput) { a: mark(input: $a) { ...F } b: mark(input: $b) { ...F } }';
    const marks = Array(5).fill({ id: 1 });
    expect(cost(`${both} fragment F on MarkPayload { marked { name } }`, { a: { ids: [1] }, b: { marks } })).toBe(
      2 * 2 + 1 + 5,
    );
  });

  it('does not count what a type is called', () => {
    expect(cost('{ __typename nodes(first: 10) { nodes { __typename id } } }')).toBe(1 + 1 + 10);
  });

  it('adds what a resolver declares', () => {
    const declared = buildSchema(
      'type Query { found(first: Int): FoundConnection } type FoundConnection { nodes: [Int] }',
    );
    declared.getQueryType()!.getFields()['found']!.extensions = { cost: 500 };
    const document = parse('{ a: found { nodes } b: found { nodes } }');
    expect(new DocumentLimits(declared).costOf(document, getOperationAST(document)!, {})).toBe(2 * 501);
  });

  it('is the same for whatever is no size of a page, and remembered by that size only', () => {
    const document = parse('query($n: Int) { nodes(first: $n) { nodes { id } } }');
    const operation = getOperationAST(document)!;
    const odd: unknown[] = [{ toString: 1, valueOf: 1 }, [], {}, true, null, 'x'.repeat(1_000_000), -5, 1e300];
    for (const n of odd) expect(limits.costOf(document, operation, { n })).toBe(n === -5 ? 3 : 2 + 100);
    for (let round = 0; round < 1_000; round += 1)
      limits.costOf(document, operation, { n: `${round}`.padEnd(10_000, 'x') });
    expect([...limits['weights'].get(operation)!.byValues.keys()]).toEqual(['100', '1']);
  });

  it('is remembered for a bounded number of combinations', () => {
    const sizes = Array.from({ length: 12 }, (_, n) => `n${n}`);
    const source = (names: readonly string[]) =>
      `query(${names.map((name) => `$${name}: Int`).join(' ')}) { node { ${names
        .map((name) => `${name}: nodes(first: $${name}) { nodes { id } }`)
        .join(' ')} } }`;
    for (const [names, most] of [
      [sizes.slice(0, 2), 16],
      [sizes, 0],
    ] as const) {
      const document = parse(source(names));
      const operation = getOperationAST(document)!;
      for (let n = 1; n <= 90; n += 1)
        limits.costOf(document, operation, Object.fromEntries(names.map((name) => [name, n])));
      expect(limits['weights'].get(operation)!.byValues.size).toBe(most);
    }
  });
});
