import { describe, expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { languageOf } from '../../src/messages/language.js';
import { payloadOf, signedHeaders, signingKey } from '../../src/services/webhooks/payload.js';
import { EVENT_ACTIONS, EVENT_DESCRIPTIONS, EVENT_TYPES } from '../../src/values/events.js';
import { below, misfits } from '../support/contract/description.js';
import { verified } from '../support/receivers.js';

const URL = 'https://gateway.example';
const entry = JSON.stringify({
  at: '2026-11-20T08:15:30.500Z',
  changes: { severity: { before: 'LOW', after: 'HIGH' } },
  reason: 'A reason',
  subject: { id: '12', name: 'Phishing <wave>', type: 'INCIDENT' },
});
const stored = { organizationId: 1, sandbox: false, position: 42, action: 'INCIDENT_UPDATED', entry } as const;
const CHECKPOINT = { log: 'organization/1', position: 41, hash: 'ab'.repeat(32), at: '2026-11-20T03:25:00.000Z' };
const witnessed = JSON.stringify({
  at: '2026-11-20T08:15:30.500Z',
  changes: { checkpoint: { after: { ...CHECKPOINT, keyId: 'the-key', signature: 'sig', chainSignature: 'chain' } } },
  subject: { id: '12', name: 'Organization', type: 'INCIDENT' },
});
const address = `${URL}/api/v1/v-ciso/incidents/1/12`;

describe('a format', () => {
  test('for Slack is a message with blocks, which names the subject by its number', () => {
    expect(payloadOf('SLACK', stored, URL)).toEqual({
      text: 'An incident was changed. INCIDENT 12 of organization 1',
      blocks: [
        { type: 'section', text: { type: 'mrkdwn', text: '*An incident was changed.*' } },
        {
          type: 'context',
          elements: [
            {
              type: 'mrkdwn',
              text: `INCIDENT 12 of organization 1 · \`incident.updated\` · 2026-11-20T08:15:30.500Z · <${address}|API>`,
            },
          ],
        },
      ],
    });
  });

  test('for Teams is a message with an Adaptive Card', () => {
    expect(payloadOf('TEAMS', stored, URL)).toMatchObject({
      type: 'message',
      attachments: [
        {
          contentType: 'application/vnd.microsoft.card.adaptive',
          content: {
            ...{ type: 'AdaptiveCard', version: '1.4' },
            body: [{ type: 'TextBlock', text: 'An incident was changed.' }, { type: 'FactSet' }],
            actions: [{ type: 'Action.OpenUrl', url: address }],
          },
        },
      ],
    });
  });

  test('for people is in the language of the organization, and for programs in English', () => {
    const [italian, german] = [languageOf('it'), languageOf('de')];
    expect(payloadOf('SLACK', stored, URL, italian)).toMatchObject({
      text: 'Un incidente è stato modificato. INCIDENT 12 dell’organizzazione 1',
      blocks: [{ text: { text: '*Un incidente è stato modificato.*' } }, {}],
    });
    const [{ content }] = (
      payloadOf('TEAMS', { ...stored, sandbox: true }, URL, german) as {
        attachments: [{ content: { body: [object, { facts: object[] }] } }];
      }
    ).attachments;
    expect(content.body[0]).toMatchObject({ text: 'Ein Vorfall wurde geändert.' });
    expect(content.body[1].facts[0]).toEqual({ title: 'Betrifft', value: 'INCIDENT 12 der Sandbox 1' });
    for (const format of ['EVENT', 'OCSF'] as const)
      expect(payloadOf(format, stored, URL, italian)).toEqual(payloadOf(format, stored, URL));
  });

  test.each(EVENT_ACTIONS)('of OCSF has what Entity Management requires, for %s', (action) => {
    const text = action === 'AUDIT_CHECKPOINT_SIGNED' ? witnessed : entry;
    const event = payloadOf('OCSF', { ...stored, action, entry: text }, URL) as Record<string, number>;
    const activity = event['activity_id']!;
    expect([1, 2, 3, 4, 99]).toContain(activity);
    expect(event).toMatchObject({
      ...{ category_uid: 3, class_uid: 3004, type_uid: 300_400 + activity, severity_id: 1 },
      time: Date.parse('2026-11-20T08:15:30.500Z'),
      message: EVENT_DESCRIPTIONS[action],
      metadata: {
        version: '1.3.0',
        uid: '1/42',
        event_code: EVENT_TYPES[action],
        product: { vendor_name: 'Compliance Gateway' },
      },
      entity: { type: 'INCIDENT', uid: '12' },
    });
  });

  test.each(EVENT_ACTIONS.filter((action) => /[._](downloaded|exported|read)$/.test(EVENT_TYPES[action])))(
    'of OCSF is a read, for %s',
    (action) => {
      expect(payloadOf('OCSF', { ...stored, action }, URL)).toMatchObject({ activity_id: 2, type_uid: 300_402 });
    },
  );

  test.each(['EVENT', 'SLACK', 'TEAMS', 'OCSF'] as const)(
    '%s says of a sandbox that it is one, and of no other organization',
    (format) => {
      const textOf = (sandbox: boolean) => JSON.stringify(payloadOf(format, { ...stored, sandbox }, URL));
      expect(textOf(true)).toMatch(/sandbox( 1|":true)/);
      expect(textOf(false)).not.toContain('sandbox');
    },
  );

  test('of a checkpoint for witnesses has hash and position of the entry that was signed', () => {
    const of = (format: 'EVENT' | 'SLACK' | 'TEAMS' | 'OCSF') =>
      payloadOf(format, { ...stored, action: 'AUDIT_CHECKPOINT_SIGNED', entry: witnessed }, URL);
    const checkpoint = { ...CHECKPOINT, key_id: 'the-key', signature: 'sig', chain_signature: 'chain' };
    expect(of('EVENT')).toMatchObject({ type: 'audit_trail.checkpoint_signed', checkpoint });
    expect(of('OCSF')).toMatchObject({ unmapped: { checkpoint } });
    for (const format of ['SLACK', 'TEAMS'] as const)
      expect(JSON.stringify(of(format))).toContain(`${CHECKPOINT.hash}@${CHECKPOINT.position}`);
  });

  test.each(['EVENT', 'SLACK', 'TEAMS', 'OCSF'] as const)('%s has no name and no value of a record', (format) => {
    const text = JSON.stringify(payloadOf(format, stored, URL));
    for (const value of ['Phishing', 'HIGH', 'LOW', 'A reason']) expect(text).not.toContain(value);
  });
});

test('a signature is over the bytes, in any alphabet', () => {
  const secret = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;
  const body = '{"id":"ä€😀"}';
  const headers = signedHeaders('1/42', Buffer.from(body), [signingKey(secret)], new Date());
  expect(verified(secret, { path: '/', headers, body })).toEqual({ id: 'ä€😀' });
});

test('the interface description has a webhook for each type of event, whose example matches its schema', () => {
  const description = JSON.parse(readFileSync(resolve(import.meta.dirname, '../../openapi.json'), 'utf8'));
  expect(Object.keys(description.webhooks)).toEqual(EVENT_ACTIONS.map((action) => EVENT_TYPES[action]));
  for (const [type, { post }] of Object.entries<{ post: { requestBody: { content: Record<string, never> } } }>(
    description.webhooks,
  )) {
    const schema = below('#/webhooks', type, 'post', 'requestBody', 'content', 'application/json', 'schema');
    const { example } = post.requestBody.content['application/json']! as { example: { type: string } };
    expect([type, misfits(schema, example)]).toEqual([type, []]);
    expect(misfits(schema, { ...example, type: 'incident.eaten' })).not.toEqual([]);
  }
});
