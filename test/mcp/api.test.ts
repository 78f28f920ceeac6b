import { expect, test } from '@jest/globals';
import { APIS, callThrough, dataOf } from '../support/apis.js';
import { callTool, connectMcp } from '../support/mcp.js';
import { mutation } from '../support/operations.js';
import { startSeededGateway } from '../support/seeded-gateway.js';

const { gateway, testData } = await startSeededGateway();
const INCIDENT = 'id: databaseId title description severity status significant cross_border: crossBorder version';
const open = mutation('POST /api/v1/v-ciso/incidents/{organization_id}', 'openIncident', `incident { ${INCIDENT} }`);

const NAMES = ['title', 'description', 'severity', 'status', 'significant'] as const;

/** Opens an incident through each interface, and returns its result. */
async function opened(through: (typeof APIS)[number] | 'MCP', input: Record<string, unknown>) {
  const { organizationId, analyst } = testData;
  if (through !== 'MCP')
    return callThrough(through, gateway, open, { organization_id: organizationId, ...input }, analyst.token);
  const client = await connectMcp(gateway, analyst.token);
  const { code, data, errors } = await callTool(client, 'open_incident', {
    organizationId: String(organizationId),
    ...input,
  });
  return { code, messages: errors?.[0]?.messages ?? [], data: data?.openIncident.incident, story: '' };
}

test('an incident is opened, and refused, the same way through REST, GraphQL and MCP', async () => {
  const outcomes = [];
  for (const through of [...APIS, 'MCP'] as const) {
    const made = await opened(through, {
      title: '  Lost laptop ',
      description: 'On a train.',
      severity: 'HIGH',
    });
    const data = dataOf(made as never) as Record<string, unknown>;
    const refused = await opened(through, { title: '', severity: 'HIGH' });
    outcomes.push([NAMES.map((name) => data[name]), refused.code, refused.messages]);
  }
  const expected = [['Lost laptop', 'On a train.', 'HIGH', 'OPEN', false], 'BAD_USER_INPUT', ['title is required']];
  expect(outcomes).toEqual([expected, expected, expected]);
});
