import { ApiToken } from './api-token.js';
import { CloudDefender, CloudDefenderCheck } from './cloud-defender.js';
import { DocumentVersion } from './document-version.js';
import { IdempotentAnswer } from './idempotent-answer.js';
import { Incident, IncidentAttachment, IncidentReminder, IncidentReport } from './incident.js';
import { Invitation } from './invitation.js';
import { Membership } from './membership.js';
import { NotificationRevision } from './notification-revision.js';
import { Notification } from './notification.js';
import { ControlState, OrganizationWorkflow, WorkflowImport, WorkflowProgress } from './organization-workflow.js';
import { OrganizationStorage } from './organization-storage.js';
import { Organization } from './organization.js';
import { OutgoingMail } from './outgoing-mail.js';
import { ThreatBlocker, ThreatBlockerCheck, ThreatBlockerTraffic } from './threat-blocker.js';
import { TokenBlock } from './token-block.js';
import { TokenRecovery } from './token-recovery.js';
import { User } from './user.js';
import { WeeklyReport, WeeklyReportRun } from './weekly-report.js';

/** Every table, listed: nothing is discovered by globbing. */
export const entities = [
  User,
  Organization,
  OrganizationStorage,
  Membership,
  Invitation,
  ApiToken,
  TokenBlock,
  TokenRecovery,
  Notification,
  NotificationRevision,
  CloudDefender,
  CloudDefenderCheck,
  ThreatBlocker,
  ThreatBlockerCheck,
  ThreatBlockerTraffic,
  OrganizationWorkflow,
  ControlState,
  WorkflowProgress,
  WorkflowImport,
  DocumentVersion,
  Incident,
  IncidentAttachment,
  OutgoingMail,
  WeeklyReportRun,
  WeeklyReport,
  IncidentReport,
  IncidentReminder,
  IdempotentAnswer,
];
