import { describe, expect, it } from '@jest/globals';
import { buildSchema, getOperationAST, parse } from 'graphql';
import { DOCUMENT_LIMITS, DocumentLimits } from '../../src/engine/document-limits.js';

const schema = buildSchema(`
  type Query { node: Node, nodes(first: Int, last: Int): NodeConnection }
  type Mutation { touch: Node }
  type Node { id: Int, name: String, child: Node, tags: [Tag], nodes(first: Int): NodeConnection }
  type Tag { name: String }
  type NodeConnection { nodes: [Node], edges: [NodeEdge], totalCount: Int }
  type NodeEdge { cursor: String, node: Node }
`);
const limits = new DocumentLimits(schema);
const faults = (source: string) => limits.faultsOf(parse(source));
const cost = (source: string, variables = {}) => {
  const document = parse(source);
  return limits.costOf(document, getOperationAST(document)!, variables);
};
const nested = (levels: number) => `{ node { ${'child { '.repeat(levels - 2)}id${' }'.repeat(levels - 2)} } }`;
const aliases = (count: number) => `{ node { ${Array.from({ length: count }, (_, n) => `a${n}: id`).join(' ')} } }`;

describe('limits of a document', () => {
  it('let the deepest document pass and refuse one level more', () => {
    expect(faults(nested(DOCUMENT_LIMITS.depth))).toEqual([]);
    expect(faults(nested(DOCUMENT_LIMITS.depth + 1))).toEqual(['The document exceeds the limit of 15 levels']);
  });

  it('count levels through fragments', () => {
    const half = DOCUMENT_LIMITS.depth - 2;
    const source = `query { node { child { ...F } } } fragment F on Node { ${'child { '.repeat(half)}id${' }'.repeat(half)} }`;
    expect(faults(source)).toEqual(['The document exceeds the limit of 15 levels']);
  });

  it('let fifty aliases pass and refuse one more', () => {
    expect(faults(aliases(DOCUMENT_LIMITS.aliases))).toEqual([]);
    expect(faults(aliases(DOCUMENT_LIMITS.aliases + 1))).toEqual(['The document exceeds the limit of 50 aliases']);
  });

  it('count an alias as often as its fragment is spread', () => {
    const spreads = Array.from({ length: 20 }, () => '...F').join(' ');
    expect(faults(`query { node { ${spreads} } } fragment F on Node { a: id b: id c: id }`)).toEqual([
      'The document exceeds the limit of 50 aliases',
    ]);
  });

  it('refuse too many root fields, also when they hide in fragments', () => {
    const fields = Array.from({ length: 11 }, (_, n) => `f${n}: node { id }`).join(' ');
    const source = `query { ...F ...F } fragment F on Query { ${fields} }`;
    expect(faults(source)).toEqual(['The document exceeds the limit of 20 root fields']);
  });

  it('refuse too many directives', () => {
    const fields = Array.from({ length: 51 }, () => 'id @include(if: true)').join(' ');
    expect(faults(`{ node { ${fields} } }`)).toEqual(['The document exceeds the limit of 50 directives']);
  });

  it('survive fragments in circles, which validation refuses', () => {
    expect(
      faults('query { node { ...A } } fragment A on Node { child { ...B } } fragment B on Node { child { ...A } }'),
    ).toEqual([]);
    expect(faults('query { ...A } fragment A on Query { ...A }')).toEqual([]);
  });

  it('measure fragments that double thirty times without working that often', () => {
    const fragments = Array.from(
      { length: 30 },
      (_, n) => `fragment F${n} on Node { a: id ...F${n + 1} ...F${n + 1} }`,
    ).join(' ');
    const startedAt = process.cpuUsage();
    expect(faults(`query { node { ...F0 } } ${fragments} fragment F30 on Node { id }`)).toEqual([
      'The document exceeds the limit of 50 aliases',
    ]);
    // Doubling would be a billion steps, which take minutes: this is no race against the clock.
    expect(process.cpuUsage(startedAt).user).toBeLessThan(5_000_000);
  });

  it('leave introspection alone', () => {
    expect(faults(`{ __schema { types { ${'ofType { '.repeat(20)}name${' }'.repeat(20)} } } }`)).toEqual([]);
  });
});

describe('the cost of an operation', () => {
  it('is one for each field', () => {
    expect(cost('{ node { id name } }')).toBe(3);
  });

  it('counts the items of a page as often as the page asks for', () => {
    expect(cost('{ nodes(first: 10) { totalCount nodes { id name } } }')).toBe(1 + 1 + 1 + 2 * 10);
    expect(cost('{ nodes(last: 7) { edges { cursor node { id } } } }')).toBe(1 + 1 + 3 * 7);
  });

  it('takes the default page where none is asked for', () => {
    expect(cost('{ nodes { nodes { id } } }')).toBe(1 + 1 + 50);
  });

  it('multiplies pages within pages', () => {
    expect(cost('{ nodes(first: 10) { nodes { nodes(first: 10) { nodes { id } } } } }')).toBe(2 + 10 * (1 + 1 + 10));
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
});
