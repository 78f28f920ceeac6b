import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Database } from '../../src/database/database.js';
import { startGateway, type TestGateway } from './gateway.js';
import { buildPerson, buildToken, join, seedTestData, type Person, type TestData } from './test-data.js';

/** Kinds of callers for whom permissions are tested. */
export const CALLERS = [
  'a viewer',
  'an analyst',
  'another analyst',
  'an officer',
  'a manager',
  'an owner',
  'an owner whose token only reads',
  'an owner whose token reads and reports',
] as const;

/** A kind of caller. */
export type CallerName = (typeof CALLERS)[number];

/** The gateway and the test data in which states of subjects are created. */
export interface Seeded {
  database: Database;
  testData: TestData;
  people: Readonly<Record<CallerName, Person>>;
}

type Id = number | string;

/** A type with `viewerCan`: creation and reading of its objects, and the subject of its permissions. */
export interface Subject {
  type: string;
  /** Creates an object in each state, to be changed by the caller, and returns its `databaseId`. */
  states: Record<string, (caller: CallerName) => Promise<Id>>;
  /** Callers who may read it; all when absent. */
  callers?: readonly CallerName[];
  /** Reads fields of the object, or of the newest ones. */
  read: (fields: string) => string;
  /** Mutations of each permission; one of them has valid input in every state. */
  mutations: Record<string, string | readonly string[]>;
  /** Permissions that are false for each object that a query reads. */
  alwaysFalse?: readonly string[];
  /** Reads the state that the mutations change; a mutation without a change is not permitted. */
  facts: string;
}

/** Tests for each type and caller that `viewerCan` equals the results of the mutations. */
export function describePermissions(subjectsIn: (seeded: () => Seeded) => readonly Subject[]): void {
  let gateway: TestGateway;
  let seeded: Seeded;
  let tokens: Readonly<Record<CallerName, string>>;

  beforeAll(async () => {
    gateway = await startGateway();
    const { database } = gateway.app;
    const testData = await seedTestData(database);
    const { owner, manager, officer, analyst, viewer, organizationId } = testData;
    const other = await buildPerson(database, 'other');
    await join(database, other, organizationId, 'SECURITY_ANALYST');
    const people = {
      'a viewer': viewer,
      'an analyst': analyst,
      'another analyst': other,
      'an officer': officer,
      'a manager': manager,
      'an owner': owner,
      'an owner whose token only reads': owner,
      'an owner whose token reads and reports': owner,
    };
    seeded = { database, testData, people };
    tokens = {
      ...(Object.fromEntries(CALLERS.map((caller) => [caller, people[caller].token])) as Record<CallerName, string>),
      'an owner whose token only reads': testData.tokens.readOnly,
      'an owner whose token reads and reports': await buildToken(database, owner, { scopes: ['read', 'telemetry'] }),
    };
  });

  afterAll(() => gateway?.close());

  describe.each(subjectsIn(() => seeded))('viewerCan: $type', (subject) => {
    const { type, states, callers = CALLERS, read, mutations, alwaysFalse = [], facts } = subject;
    /** The values of each field, of all objects and callers. */
    const values = new Set<string>();

    test(`${type} has a field for each mutation that is tried here, and no other`, async () => {
      const { __type } = await gateway.graphql.data(`{ __type(name: "${type}") { fields { name } } }`);
      expect(__type.fields.map(({ name }: { name: string }) => name).toSorted()).toEqual(
        Object.keys(mutations).toSorted(),
      );
    });

    test.each(Object.keys(states))(
      `${type} of an object that is %s equals what the mutations accept, for each caller`,
      async (state) => {
        const build = states[state]!;
        for (const caller of callers) {
          const said: Record<string, boolean> = {};
          const done: Record<string, boolean> = {};
          for (const [permission, documents] of Object.entries(mutations)) {
            const id = await build(caller);
            said[permission] = await permissionOf(read, permission, id, tokens[caller]);
            values.add(`${permission}: ${said[permission]}`);
            done[permission] = await changes([documents].flat(), facts, id, tokens[caller]);
          }
          expect({ caller, ...said }).toEqual({ caller, ...done });
        }
      },
    );

    test(`${type} was tried with states and callers that make each field true and false`, () => {
      expect(values.size).toBe(2 * Object.keys(mutations).length - alwaysFalse.length);
    });
  });

  async function permissionOf(read: Subject['read'], permission: string, id: Id, token: string): Promise<boolean> {
    const { body } = await send('query', read(`databaseId viewerCan { ${permission} }`), await valuesOf(id), token);
    return objectsIn(body.data).find(({ databaseId }) => databaseId === id)!.viewerCan[permission]!;
  }

  /** Whether one of the mutations is accepted and changes something. */
  async function changes(documents: readonly string[], facts: string, id: Id, token: string): Promise<boolean> {
    const { database } = seeded;
    const before = await database.rows(facts, [id]);
    const values = await valuesOf(id);
    for (const document of documents) {
      const { body } = await send('mutation', document, values, token);
      if (body.errors === undefined) break;
      expect(['FORBIDDEN', 'CONFLICT', 'NOT_FOUND', 'BAD_USER_INPUT']).toContain(body.errors[0]?.extensions.code);
    }
    return JSON.stringify(await database.rows(facts, [id])) !== JSON.stringify(before);
  }

  /**
   * Values of the variables of documents; `$parent` is the incident of a file, `$other` another user than the caller.
   */
  async function valuesOf(id: Id): Promise<Record<Variable, unknown>> {
    const [file] = await seeded.database.rows<{ parent: number }>(
      'select incident_id as parent from incident_attachment where id::text = $1',
      [String(id)],
    );
    const now = new Date().toISOString();
    const { organizationId: organization, nonMember } = seeded.testData;
    return { organization, id, parent: file?.parent, other: nonMember.id, file: null, now };
  }

  function send(kind: 'query' | 'mutation', fields: string, values: Record<Variable, unknown>, token: string) {
    const used = Object.entries(VARIABLES).filter(([name]) => fields.includes(`$${name}`));
    const document = `${kind} (${used.map(([name, type]) => `$${name}: ${type}`).join(', ')}) { ${fields} }`;
    const variables = Object.fromEntries(used.map(([name]) => [name, values[name as Variable]]));
    return 'file' in variables
      ? gateway.graphql.upload(document, variables, 'variables.file', FILE, token)
      : gateway.graphql.call(document, { token, variables });
  }
}

const VARIABLES = { organization: 'ID!', id: 'ID!', parent: 'ID!', other: 'ID!', file: 'Upload!', now: 'DateTime!' };

type Variable = keyof typeof VARIABLES;

const FILE = { name: 'a.txt', type: 'text/plain', bytes: Buffer.from('text') };

/** Every object with permissions, at any depth. */
function objectsIn(value: unknown): ReadObject[] {
  if (typeof value !== 'object' || value === null) return [];
  const below = Object.values(value).flatMap(objectsIn);
  return 'viewerCan' in value && 'databaseId' in value ? [value as ReadObject, ...below] : below;
}

interface ReadObject {
  databaseId: Id;
  viewerCan: Record<string, boolean>;
}
