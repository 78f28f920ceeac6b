import type { ColumnMap } from '../../database/projection.js';
import type { Expression } from '../../database/sql.js';
import type { Tables } from '../../entities/index.js';
import type { AuditSubjectType } from '../../values/audit.js';

/** What is written of a device, by property; the input types have checked every value. */
export type DeviceValues = Readonly<Record<string, unknown>>;

export type ReportTable = 'cloud_defender_check' | 'threat_blocker_check';
export type ReportPart =
  | Extract<keyof Tables['cloud_defender_check'], 'fqdn' | 'proxy' | 'endpoint'>
  | Extract<keyof Tables['threat_blocker_check'], 'vpn' | 'dnsbl' | 'iplist'>;

/** The tables of one kind's reports, and the parts of its `stat` (specification 2.6, 2.7). */
export interface CheckTables {
  reports: ReportTable;
  /** Each is a property and a column. */
  parts: readonly ReportPart[];
  /** Table of the `chart_stat`; only threat blockers have one. */
  traffic?: 'threat_blocker_traffic';
}

/** How the two kinds of devices differ. The device's alias in statements is `d`. */
export interface DeviceKind {
  table: 'cloud_defender' | 'threat_blocker';
  type: 'CloudDefender' | 'ThreatBlocker';
  columns: ColumnMap;
  /** What people know a device by. */
  name: Expression;
  searched: readonly Expression[];
  /** The column of each property that may be written. */
  written: Readonly<Record<string, string>>;
  /** Of these, what no audit trail may hold. */
  secret: readonly string[];
  /** What it is called in audit trails. */
  subject: AuditSubjectType;
  /** What a new device is given by us. */
  given(): DeviceValues;
  checks: CheckTables;
}
