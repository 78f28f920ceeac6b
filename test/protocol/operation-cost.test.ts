import { describe, expect, test } from '@jest/globals';
import {
  getNamedType,
  getNullableType,
  getOperationAST,
  isCompositeType,
  isInputObjectType,
  isListType,
  isObjectType,
  parse,
} from 'graphql';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { DOCUMENT_LIMITS, DocumentLimits } from '../../src/graphql/document-limits.js';
import { COSTS } from '../../src/values/costs.js';
import { startSeededGateway } from '../support/seeded-gateway.js';

const { gateway, testData } = await startSeededGateway();

const many = (count: number, field: string) =>
  `{ ${Array.from({ length: count }, (_, n) => `a${n}: ${field}`).join(' ')} }`;
const SEARCH = 'search(query: "incident") { nodes { title } }';
const refusal = {
  code: 'BAD_USER_INPUT',
  messages: [`The operation exceeds the cost limit of ${DOCUMENT_LIMITS.cost}: ask for fewer fields or smaller pages`],
};

describe('a field that costs the database far more than a value', () => {
  test('counts as much, so that an operation may search five times and not twenty', async () => {
    const { token } = testData.owner;
    expect((await gateway.graphql.call(many(5, SEARCH), { token })).body.errors).toBeUndefined();
    for (const count of [6, 20]) {
      const statements: number[] = [];
      // Background statements of the gateway may occur, but not each time.
      for (let attempt = 0; attempt < 5 && !statements.includes(0); attempt += 1) {
        const before = gateway.app.database.executed;
        const { status, body } = await gateway.graphql.call(many(count, SEARCH), { token });
        expect([status, body.errors?.[0]?.extensions]).toEqual([400, refusal]);
        statements.push(gateway.app.database.executed - before);
      }
      expect(statements).toContain(0);
    }
    const preview = `weeklyReportPreview(organizationId: ${testData.organizationId}) { subject }`;
    expect((await gateway.graphql.call(many(9, preview), { token })).body.errors).toBeUndefined();
    expect((await gateway.graphql.call(many(10, preview), { token })).body.errors?.[0]?.extensions).toEqual(refusal);
  });

  test('is counted wherever it stands', () => {
    const limits = new DocumentLimits(gateway.app.executor.schema);
    const cost = (source: string) => {
      const document = parse(source);
      return limits.costOf(document, getOperationAST(document)!, {});
    };
    expect(cost('{ organizations { totalCount } }')).toBe(1 + COSTS.count);
    expect(cost('{ unreadNotificationCount { count } }')).toBe(COSTS.count + 1);
    expect(
      cost(
        '{ organizationWorkflow(organizationId: 1, workflowId: "a") { progress { done } progressHistory { totalCount } } }',
      ),
    ).toBe(1 + COSTS.workflowProgress + 1 + COSTS.progressHistory + 1);
    for (const size of ['first: 200', 'first: 201', 'last: $unknown'])
      expect(cost(`{ portfolio(${size}) { nodes { role incidents { open } } } }`)).toBe(COSTS.portfolio + 1 + 200 * 3);
    expect(cost('{ organizations(first: 200) { nodes { name } } }')).toBe(2 + 100);
    const series = 'series(from: "2026-01-01T00:00:00Z", to: "2026-01-02T00:00:00Z") { __typename }';
    for (const device of ['cloudDefender', 'threatBlocker'])
      expect(cost(`{ ${device}(id: 1) { check { ${series} } } }`)).toBe(2 + COSTS.deviceSeries);
  });

  test('is counted for each control that is changed, and a usual request changes as many as it may', () => {
    const limits = new DocumentLimits(gateway.app.executor.schema);
    const document =
      parse(`mutation ($input: UpdateControlsInput!) { updateControls(input: $input) { totalCount controls {
      id controlId label text status justification note dueDate version owner { username }
      evidence { own mapped total validUntil sources { controlId label } } evidenceState } } }`);
    const cost = (count: number) => {
      const updates = Array.from({ length: count }, (_, n) => ({ controlId: `A.${n}`, status: 'DONE' }));
      return limits.costOf(document, getOperationAST(document)!, { input: { updates } });
    };
    expect(cost(3) - cost(2)).toBe(cost(2) - cost(1));
    expect(cost(200)).toBe(3 + 200 * (cost(2) - cost(1)));
    expect(cost(200)).toBeLessThan(DOCUMENT_LIMITS.cost);
  });

  test('is counted by the input of each mutation whose answer has a list of as many items', () => {
    const isList = (field: { type: Parameters<typeof getNullableType>[0] }) => isListType(getNullableType(field.type));
    const counted = Object.values(gateway.app.executor.schema.getMutationType()!.getFields()).flatMap((mutation) => {
      const [payload, input] = [getNamedType(mutation.type), getNamedType(mutation.args[0]?.type)];
      const answered = isObjectType(payload) ? Object.values(payload.getFields()) : [];
      const sent = isInputObjectType(input) ? Object.values(input.getFields()).filter(isList) : [];
      if (sent.length === 0 || !answered.some((each) => isList(each) && isCompositeType(getNamedType(each.type))))
        return [];
      expect([mutation.name, mutation.extensions['itemsOf'], mutation.extensions['items']]).toEqual([
        ...[mutation.name, sent.map(({ name }) => `input.${name}`), expect.any(Number)],
      ]);
      return [mutation.name];
    });
    expect(counted.toSorted()).toEqual([
      ...['inviteMembers', 'markNotificationsRead', 'reportCloudDefenderChecks', 'reportThreatBlockerChecks'],
      'updateControls',
    ]);
  });

  test('stands with its figure in the guide to the limits', () => {
    const guide = readFileSync(resolve(import.meta.dirname, '../../docs/limits.md'), 'utf8');
    const declared = Object.values(gateway.app.executor.schema.getTypeMap()).flatMap((type) =>
      'getFields' in type && !type.name.startsWith('__')
        ? Object.values(type.getFields()).flatMap((field) => {
            const cost = field.extensions['cost'] as number | undefined;
            return cost === undefined ? [] : [{ name: `${type.name}.${field.name}`, cost }];
          })
        : [],
    );
    expect(declared.length).toBeGreaterThan(20);
    for (const { name, cost } of declared) {
      const shown = name.endsWith('.totalCount') || name.endsWith('.series') ? name.split('.')[1] : name;
      expect(guide).toMatch(new RegExp(`\\| \`${shown}\`[^|]* +\\| ${cost.toLocaleString('en')} +\\|`));
    }
  });
});
