import { expect, test } from '@jest/globals';
import { buildSchema, getNamedType, isInterfaceType, isIntrospectionType, isLeafType, isObjectType } from 'graphql';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

const schema = buildSchema(readFileSync(resolve(import.meta.dirname, '../../schema.graphql'), 'utf8'));

/** Names of fields with the object that differ from the name of the id without `Id`: from docs/graphql.md. */
const WORDS: Readonly<Record<string, string>> = { user: 'member', artifact: 'control' };

/** Ids without a field for their object, with the reason: a new one needs a decision. */
const WITHOUT_OBJECT: Readonly<Record<string, readonly string[]>> = {
  'the object itself has this id': [
    ...[
      'EvidenceRequest.evidenceRequestId',
      'OrganizationApiToken.tokenId',
      'ServiceAccountToken.tokenId',
      'SignOff.signOffId',
      'UserWebhookEndpoint.webhookEndpointId',
    ],
    ...['OrganizationControl.controlId', 'WorkflowControl.controlId', 'Workflow.workflowId'],
    ...['ReportingRegime.regimeId', 'WorkflowImport.workflowId'],
  ],
  'it is not stored, or not yet': [
    ...['WorkflowImportPreview.workflowId', 'WorkflowControlChange.controlId', 'WorkflowControlEdition.parentId'],
    'ReuseSuggestion.controlId',
  ],
  'an auditor, who is no member, reads it; more of the object is for members': [
    ...['Engagement.organizationId', 'EngagementAuditor.userId', 'EngagementWorkflow.workflowId'],
    ...['EngagementControl.controlId', 'EngagementControl.workflowId', 'EngagementIncident.incidentId'],
    ...['EngagementDocument.documentVersionId', 'EngagementDocument.controlId', 'EngagementDocument.workflowId'],
    ...['EvidenceRequest.controlId', 'EvidenceRequest.workflowId', 'SignOff.controlId', 'SignOff.workflowId'],
  ],
  'the request may have no token, and reads nothing else; the token of the answer does': [
    ...['AcceptInvitationPayload.engagementId', 'AcceptInvitationPayload.organizationId'],
    ...['AcceptInvitationPayload.userId', 'RecoverTokenPayload.userId'],
    ...['ExchangeSignInCodePayload.organizationId', 'ExchangeSignInCodePayload.userId'],
  ],
  'the user is gone by then': ['EraseMePayload.userId'],
  'a regime is data of the program, in force or not: its name is beside it': [
    ...['IncidentReport.regimeId', 'IncidentReportDraft.regimeId', 'IncidentStage.regimeId'],
    ...['RegimeOutOfScope.regimeId', 'RehearsalStage.regimeId', 'ReportDeadline.regimeId'],
  ],
  'others have given it, or it is in a log': [
    ...['AuditCheckpoint.keyId', 'AuditEntry.requestId', 'IdentityProvider.clientId', 'ThreatBlocker.deviceId'],
  ],
  'it is what a receiver sees of the event, which may be one of a test or older than what is kept': [
    ...['SendTestWebhookPayload.eventId', 'WebhookDelivery.eventId'],
  ],
  'it is an invitation or a document version, each with a field of its own': ['ImportJobRow.recordId'],
  'the heading is in the list that the control is in': ['WorkflowControl.parentId'],
};

test('an id has the object beside it, or a reason why not', () => {
  const types = Object.values(schema.getTypeMap()).filter((type) => !isIntrospectionType(type));
  const ids = types.flatMap((type) => {
    if (!isObjectType(type) && !isInterfaceType(type)) return [];
    const fields = type.getFields();
    const isObject = (name: string) => fields[name] !== undefined && !isLeafType(getNamedType(fields[name].type));
    return Object.keys(fields).flatMap((name) => {
      const [, one, many = ''] = /^(\w+)Id(s?)$/.exec(name) ?? [];
      if (one === undefined || one === 'database') return [];
      const hasObject = [one, WORDS[one]].some((word) => word !== undefined && isObject(`${word}${many}`));
      return [{ name: `${type.name}.${name}`, hasObject }];
    });
  });
  const raw = ids.filter(({ hasObject }) => !hasObject).map(({ name }) => name);
  expect(raw.toSorted()).toEqual(Object.values(WITHOUT_OBJECT).flat().toSorted());
  expect(ids.length - raw.length).toBeGreaterThan(20);
});
