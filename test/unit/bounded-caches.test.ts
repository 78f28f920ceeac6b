import { describe, expect, it } from '@jest/globals';
import { buildSchema, getOperationAST, parse } from 'graphql';
import { IpAllowList } from '../../src/auth/ip-allow-list.js';
import { AccessCache } from '../../src/auth/access-cache.js';
import { filter } from '../../src/database/list-conditions.js';
import { Listing, type ListQuery } from '../../src/database/list-query.js';
import { sql, table } from '../../src/database/sql.js';
import { StatementNames } from '../../src/database/wire.js';
import { GraphQLExecutor } from '../../src/graphql/executor.js';
import { DocumentCache } from '../../src/graphql/document-cache.js';
import { userCaller } from '../support/callers.js';

const MEGABYTE = 1_000_000;

describe('compiled operations', () => {
  const executor = new GraphQLExecutor(buildSchema('type Query { a(x: String): Int }'));
  const context = { caller: userCaller('u'), batches: new Map() } as never;

  it('are cached by their operation, whatever names of operations are sent', async () => {
    const document = parse('query A($x: String) { a(x: $x) } query B { a }');
    for (let round = 0; round < 500; round += 1) {
      const operationName = `N${round}`.padEnd(10_000, 'x');
      const { errors } = await executor.execute({ document, operationName, variables: {}, context });
      expect(errors).toHaveLength(1);
    }
    await executor.execute({ document, operationName: 'A', variables: { x: 'x'.repeat(MEGABYTE) }, context });
    for (const name of ['A', 'B']) {
      const operation = getOperationAST(document, name)!;
      expect(executor['entries'].has(operation)).toBe(name === 'A');
    }
  });
});

describe('the cache of documents', () => {
  it('is bounded by the tokens of its documents together', () => {
    const cache = new DocumentCache();
    const sources = Array.from({ length: 100 }, (_, n) => `{ a${n} ${'id '.repeat(2_000)}}`);
    for (const source of sources) cache.set(source, parse(source));
    const stored = sources.filter((source) => cache.get(source) !== undefined);
    expect(stored.length).toBeGreaterThan(50);
    expect(stored.length * 2_000).toBeLessThan(150_000);
  });

  it('is bounded by the characters of its documents together', () => {
    const cache = new DocumentCache();
    const sources = Array.from({ length: 1_000 }, (_, n) => `{ id } # ${n} ${'x'.repeat(99_000)}`);
    for (const source of sources) cache.set(source, parse(source));
    expect(sources.filter((source) => cache.get(source) !== undefined).length).toBeLessThan(1_000);
  });
});

describe('what is remembered of tokens', () => {
  it('is bounded by the networks and organizations that are named with them', () => {
    const cache = new AccessCache({ isFresh: () => true });
    const networks = Array.from({ length: 50 }, (_, n) => `192.0.${n}.0/24`);
    for (let n = 0; n < 2_500; n += 1) {
      const caller = userCaller(`u${n}`);
      const callers = { header: caller, query: caller };
      cache.rememberToken(`t${n}`, { callers, allowed: new IpAllowList(networks), expiresAt: Infinity }, 0);
    }
    expect(cache['tokens'].size).toBeLessThanOrEqual(100_000 / 51);
    expect(cache['tokens'].size).toBeGreaterThan(1_000);
  });
});

describe('texts of lists', () => {
  it('are cached for a bounded number of combinations of fields, filters and orders', () => {
    const t = table('api_token', 't');
    const id = { column: t.id, type: 'int' } as const;
    const order = { field: 'ID', direction: 'ASC' } as const;
    const listing = new Listing<ListQuery<'ID'>>({ ...{ from: t.table, id, parent: id, sorts: { ID: id } }, order });
    const shape = { key: '', select: [t.id.as('id')], columns: new Map([['id', t.id]]) };
    const window = { backwards: false, cursor: undefined, offset: 0, limit: 10 };
    for (let n = 0; n < 500; n += 1) {
      const conditions = [filter<{ name: string }>((p) => sql`${t.name} = ${p('name')}`)({ name: `${n}` })];
      const wanted = { conditions, sort: 'ID', descending: false, shape, total: false };
      listing['planOf'](wanted as never, window as never, true);
    }
    expect(listing['plans'].size).toBe(200);
  });

  it('get names for a bounded number of statements', () => {
    const names = new StatementNames(400);
    for (let n = 0; n < 1_000; n += 1) for (let time = 0; time < 2; time += 1) names.nameOf(`select ${n}`);
    expect(names['names'].size).toBe(400);
    expect(names['seenOnce'].size).toBeLessThanOrEqual(400);
  });

  it('give a statement the same name in every process, and no other statement that name', () => {
    const nameIn = (texts: string[], text: string) => {
      const names = new StatementNames();
      for (const each of [...texts, text]) names.nameOf(each);
      return names.nameOf(text);
    };
    const name = nameIn([], 'select 1');
    expect(name).toMatch(/^[\w-]{43}$/);
    expect(nameIn(['select 2', 'select 2'], 'select 1')).toBe(name);
    expect(nameIn([], 'select 2')).not.toBe(name);
  });
});
