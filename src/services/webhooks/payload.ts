import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import type { WebhookFormat } from '../../values/enums.js';
import { english, type Language } from '../../messages/language.js';
import { EVENT_DESCRIPTIONS, EVENT_TYPES, type EventAction } from '../../values/events.js';
import { eventContent } from '../../common/event-content.js';

/** A stored event. */
export interface StoredEvent {
  organizationId: number;
  /** Whether the organization is a sandbox. */
  sandbox: boolean;
  position: number;
  action: EventAction;
  /** The entry of the audit trail. */
  entry: string;
}

/** An event as `GET /api/v1/events` returns it. */
export interface WebhookEvent {
  id: string;
  type: string;
  organization_id: number;
  /** Only in events of sandboxes. */
  sandbox?: true;
  subject: { type: string; id: string };
  position: number;
  changed_fields: string[];
  at: string;
  url: string | null;
  /** For `audit_trail.checkpoint_signed`: the checkpoint for the witness. */
  checkpoint?: { hash: string; position: number; key_id: string };
}

export function webhookEvent(
  { organizationId, sandbox, position, action, entry }: StoredEvent,
  publicUrl: string,
): WebhookEvent {
  const { at, subject, changedFields, url } = eventContent(organizationId, entry, publicUrl);
  const checkpoint = action === 'AUDIT_CHECKPOINT_SIGNED' && checkpointIn(entry);
  return {
    id: eventId({ organizationId, position }),
    type: EVENT_TYPES[action],
    organization_id: organizationId,
    ...(sandbox && { sandbox }),
    subject: { type: subject.type, id: subject.id },
    position,
    changed_fields: changedFields,
    at,
    url,
    ...(checkpoint && { checkpoint }),
  };
}

/** A checkpoint by REST's names, as in an export. */
function checkpointIn(entry: string): NonNullable<WebhookEvent['checkpoint']> {
  type Signed = { hash: string; position: number; keyId: string; chainSignature: string };
  const { changes } = JSON.parse(entry) as { changes: { checkpoint: { after: Signed } } };
  const { keyId, chainSignature, ...checkpoint } = changes.checkpoint.after;
  return Object.assign(checkpoint, { key_id: keyId, chain_signature: chainSignature });
}

export function eventId({ organizationId, position }: Pick<StoredEvent, 'organizationId' | 'position'>): string {
  return `${organizationId}/${position}`;
}

/** The body in the format of an endpoint; texts in the language of the organization. */
export function payloadOf(
  format: WebhookFormat,
  stored: StoredEvent,
  publicUrl: string,
  language: Language = english,
): object {
  return FORMATS[format](webhookEvent(stored, publicUrl), EVENT_DESCRIPTIONS[stored.action], language);
}

type Made = (event: WebhookEvent, description: string, language: Language) => object;

const FORMATS: Readonly<Record<WebhookFormat, Made>> = {
  EVENT: (event) => event,
  SLACK: slackMessage,
  TEAMS: teamsMessage,
  OCSF: ocsfEvent,
};

/** With hash and position of a checkpoint, as the scripts that verify read them. */
function subjectText({ subject, organization_id, sandbox, checkpoint }: WebhookEvent, language: Language): string {
  const fact = checkpoint === undefined ? '' : `, ${checkpoint.hash}@${checkpoint.position}`;
  const values = {
    type: subject.type,
    id: subject.id,
    sandbox: String(sandbox),
    organization: String(organization_id),
  };
  return `${language.text('webhook.subject', values)}${fact}`;
}

/** A message for an incoming webhook of Slack; notifications show `text`. */
function slackMessage(event: WebhookEvent, description: string, language: Language): object {
  const { type, at, url } = event;
  const [sentence, subject] = [language.translated(description), subjectText(event, language)];
  const facts = [subject, `\`${type}\``, at, ...(url === null ? [] : [`<${url}|API>`])];
  return {
    text: `${sentence} ${subject}`,
    blocks: [
      { type: 'section', text: { type: 'mrkdwn', text: `*${sentence}*` } },
      { type: 'context', elements: [{ type: 'mrkdwn', text: facts.join(' · ') }] },
    ],
  };
}

/** A message for a workflow of Teams that posts the body of a webhook: an Adaptive Card. */
function teamsMessage(event: WebhookEvent, description: string, language: Language): object {
  const { type, at, url } = event;
  const facts = [
    { title: language.text('webhook.fact.subject'), value: subjectText(event, language) },
    { title: language.text('webhook.fact.type'), value: type },
    { title: language.text('webhook.fact.at'), value: at },
  ];
  const content = {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.4',
    body: [
      { type: 'TextBlock', text: language.translated(description), weight: 'Bolder', wrap: true },
      { type: 'FactSet', facts },
    ],
    actions: url === null ? [] : [{ type: 'Action.OpenUrl', title: 'API', url }],
  };
  const attachment = { contentType: 'application/vnd.microsoft.card.adaptive', contentUrl: null, content };
  return { type: 'message', attachments: [attachment] };
}

const OCSF = { version: '1.3.0', category: 3, class: 3004 } as const;
/** Activities of Entity Management, by the last word of an event's type; others are 99. */
const ACTIVITIES: Readonly<Record<string, number>> = {
  ...{ created: 1, opened: 1, uploaded: 1, imported: 1, attachment_added: 1, note_added: 1 },
  ...{
    read: 2,
    downloaded: 2,
    exported: 2,
    attachment_downloaded: 2,
    proof_exported: 2,
    list_downloaded: 2,
    evidence_pack_downloaded: 2,
    report_draft_downloaded: 2,
    rehearsal_report_downloaded: 2,
  },
  ...{ updated: 3, closed: 3, reopened: 3, disabled: 3, restored: 3, status_changed: 3 },
  ...{ deleted: 4, removed: 4, purged: 4, trimmed: 4, revoked: 4, attachment_deleted: 4, import_deleted: 4 },
};
const OTHER = 99;

/** An event of Entity Management (3004) of OCSF. The actor is in the audit trail only, and never sent. */
function ocsfEvent(event: WebhookEvent, description: string): object {
  const activity = ACTIVITIES[event.type.split('.')[1] as string] ?? OTHER;
  return {
    activity_id: activity,
    ...(activity === OTHER && { activity_name: event.type }),
    category_uid: OCSF.category,
    class_uid: OCSF.class,
    type_uid: OCSF.class * 100 + activity,
    time: Date.parse(event.at),
    severity_id: 1,
    message: description,
    metadata: {
      version: OCSF.version,
      uid: event.id,
      sequence: event.position,
      event_code: event.type,
      product: { name: 'Compliance Gateway', vendor_name: 'Compliance Gateway' },
    },
    entity: { type: event.subject.type, uid: event.subject.id },
    unmapped: {
      ...{ organization_id: event.organization_id, changed_fields: event.changed_fields, url: event.url },
      ...(event.sandbox && { sandbox: true }),
      ...(event.checkpoint && { checkpoint: event.checkpoint }),
    },
  };
}

/** The signing key of a Standard Webhooks secret. Created once, because that takes five times as long as signing. */
export function signingKey(secret: string): KeyObject {
  return createSecretKey(secret.replace(/^whsec_/, ''), 'base64');
}

/** The headers of Standard Webhooks for these bytes; one signature for each key. */
export function signedHeaders(id: string, body: Buffer, keys: readonly KeyObject[], at: Date): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1000));
  const signatures = keys.map((key) => {
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64')}`;
  });
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') };
}
