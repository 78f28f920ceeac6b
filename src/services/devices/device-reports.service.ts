import type { Access } from '../../auth/access.js';
import type { Caller } from '../../auth/caller.js';
import { PRIVILEGES } from '../../auth/roles.js';
import { DAY, MINUTE } from '../../common/time.js';
import type { Database } from '../../database/database.js';
import { sql, statement, table, type Expression } from '../../database/sql.js';
import { DomainError, found, invalidInput, notFound, refuseErrors, type FieldError, type Path } from '../../errors.js';
import type { DeviceReportOutcome } from '../../values/enums.js';
import { LIMITS } from '../../values/limits.js';
import { refusalOf, type RowRefusal } from '../shared/rows.js';

import type { DeviceKind } from './device-kind.js';
import { GatheredReports } from './gathered-reports.js';
import { inOrder, DeviceReportStorage, type Delivery, type DeviceReport } from './device-report-storage.js';

/** A device's address: its number, or the key by which it identifies itself. */
export type DeviceAddress = { id: number } | { atbKey: string };

/** The same for equal reports. */
export interface ReportReceipt {
  received: number;
  /** The `datetime` of the newest report of the request. */
  newest: Date;
}

/** A report of one of many devices, and the field that names the device. */
export interface AddressedReport {
  address: DeviceAddress;
  addressedBy: string;
  report: DeviceReport;
}

/** The outcome of one of many reports. */
export interface ReportedRow {
  /** Its place in the request, from 1. */
  row: number;
  outcome: DeviceReportOutcome;
  error: RowRefusal | null;
}

interface FoundDevice {
  id: number;
  organizationId: number;
  /** Null for a kind without keys. */
  key: string | null;
}

/** Accepts reports of devices of one kind. */
export class DeviceReportService {
  private readonly storage: DeviceReportStorage;
  /** Batches reports of single devices that are sent one by one. */
  private readonly gathered: GatheredReports;
  private readonly statements: ReturnType<typeof statementsOf>;

  constructor(
    private readonly database: Database,
    private readonly access: Access,
    private readonly kind: DeviceKind,
    private readonly now: () => Date,
    /** Maximum age of a report: older ones are thinned. */
    private readonly wholeDays: number,
  ) {
    this.storage = new DeviceReportStorage(database, kind, now);
    this.gathered = new GatheredReports(database, this.storage);
    this.statements = statementsOf(kind);
  }

  /**
   * Stores reports in any order; known ones change nothing. Throws NOT_FOUND, FORBIDDEN (rank 4, scope `telemetry`),
   * BAD_USER_INPUT for too many of one day, and CONFLICT for contradicting reports of one moment; then none is stored.
   */
  async report(caller: Caller, address: DeviceAddress, reports: readonly DeviceReport[]): Promise<ReportReceipt> {
    const device = found((await this.find([address]))(address));
    await this.access.authorize(caller, 'REPORT_CHECKS', device.organizationId);
    const now = this.now().getTime();
    const errors = reports.flatMap((report, index) =>
      momentErrors(report, now, this.wholeDays, ['input', 'reports', index]),
    );
    refuseErrors(errors);
    // Reports are stored outside of their request, which would be authorized again otherwise.
    const confirm = async () =>
      this.access.authorize(await this.access.renewed(caller), 'REPORT_CHECKS', device.organizationId);
    return this.store({ deviceId: device.id, key: 'id' in address ? null : device.key, confirm }, reports);
  }

  /**
   * Stores reports of any devices that the caller may report for, with one outcome for each, in order, in one
   * transaction. Throws UNAUTHENTICATED, and FORBIDDEN without the scope.
   */
  async reportMany(caller: Caller, sent: readonly AddressedReport[]): Promise<ReportedRow[]> {
    this.access.authorizeToken(caller, PRIVILEGES.REPORT_CHECKS.scope);
    const device = await this.find(sent.map(({ address }) => address));
    const refusals = await this.refusals(
      caller,
      sent.flatMap(({ address }) => device(address)?.organizationId ?? []),
    );
    const now = this.now().getTime();
    const accepted: (Delivery & { index: number })[] = [];
    const results = sent.map(({ address, report }, index): DomainError | undefined => {
      const found = device(address);
      if (found === undefined) return notFound();
      const refused = refusals.get(found.organizationId);
      if (refused !== undefined) return refused;
      const errors = momentErrors(report, now, this.wholeDays, ['input']);
      if (errors.length > 0) return invalidInput(errors);
      const key = 'id' in address ? null : found.key;
      accepted.push({ index, deviceId: found.id, key, reports: inOrder([report], this.kind.checks.parts) });
      return undefined;
    });
    const outcomes = accepted.length === 0 ? [] : await this.storage.store(accepted).catch(lostOf);
    // The right to report for one organization was revoked in the meantime: only its rows are refused.
    if (outcomes === undefined) return this.reportMany(caller, sent);
    const stored = new Map(accepted.map(({ index }, place) => [index, outcomes[place]!]));
    return sent.map(({ addressedBy }, index) => {
      const outcome = stored.get(index) ?? { refused: results[index]! };
      if ('stored' in outcome)
        return { row: index + 1, outcome: outcome.stored > 0 ? 'STORED' : 'UNCHANGED', error: null };
      const { code } = outcome.refused;
      const field = code === 'NOT_FOUND' || code === 'FORBIDDEN' ? addressedBy : 'datetime';
      return { row: index + 1, outcome: 'REFUSED', error: refusalOf(outcome.refused, field) };
    });
  }

  /** Stores reports without authorization, for the demo's devices. */
  take(id: number, reports: readonly DeviceReport[]): Promise<ReportReceipt> {
    return this.store({ deviceId: id, key: null }, reports);
  }

  private async store(to: Omit<Delivery, 'reports'>, reports: readonly DeviceReport[]): Promise<ReportReceipt> {
    const sent = inOrder(reports, this.kind.checks.parts);
    const outcome = await this.gathered.store({ ...to, reports: sent });
    if ('refused' in outcome) throw outcome.refused;
    return { received: reports.length, newest: sent.at(-1)!.datetime };
  }

  /** Devices by address, in one statement for each kind of address. */
  private async find(
    addresses: readonly DeviceAddress[],
  ): Promise<(address: DeviceAddress) => FoundDevice | undefined> {
    const ids = new Set(addresses.flatMap((address) => ('id' in address ? [address.id] : [])));
    const keys = new Set(addresses.flatMap((address) => ('id' in address ? [] : [address.atbKey.toLowerCase()])));
    const { byId, byKey } = this.statements;
    const [named, known] = await Promise.all([
      ids.size === 0 ? [] : byId.all(this.database, { keys: [...ids] }),
      keys.size === 0 ? [] : byKey!.all(this.database, { keys: [...keys] }),
    ]);
    const ofId = new Map(named.map((device) => [device.id, device]));
    const ofKey = new Map(known.map((device) => [device.key, device]));
    return (address) => ('id' in address ? ofId.get(address.id) : ofKey.get(address.atbKey.toLowerCase()));
  }

  /** Refusals by organization; organizations that the caller may report for have none. */
  private async refusals(caller: Caller, organizationIds: readonly number[]): Promise<Map<number, DomainError>> {
    const refusals = new Map<number, DomainError>();
    const judge = async (id: number) => {
      try {
        await this.access.authorize(caller, 'REPORT_CHECKS', id);
      } catch (error) {
        if (!isRefused(error)) throw error;
        refusals.set(id, error);
      }
    };
    await Promise.all([...new Set(organizationIds)].map(judge));
    return refusals;
  }
}

/** Codes with which an organization refuses only the reports of its own devices. */
const REFUSED: ReadonlySet<string> = new Set(['NOT_FOUND', 'FORBIDDEN']);

const isRefused = (error: unknown): error is DomainError => error instanceof DomainError && REFUSED.has(error.code);

/** Undefined for reports that are refused as a whole. */
function lostOf(error: unknown): undefined {
  if (!isRefused(error)) throw error;
}

/** Reports are dated within the days that are stored unthinned, and at most the clock skew ahead. */
function momentErrors(
  { datetime, chartStat }: DeviceReport,
  now: number,
  wholeDays: number,
  report: Path,
): FieldError[] {
  const { keptDays, clockSkewMinutes } = LIMITS.check;
  const errorsOf = (days: number, moment: number, ...path: Path): FieldError[] => {
    const full = [...report, ...path];
    if (moment < now - days * DAY) return [{ path: full, sentence: `must not be more than ${days} days ago` }];
    if (moment <= now + clockSkewMinutes * MINUTE) return [];
    return [{ path: full, sentence: `must not be more than ${clockSkewMinutes} minutes in the future` }];
  };
  return [
    ...errorsOf(wholeDays, datetime.getTime(), 'datetime'),
    ...chartStat.flatMap(({ bucketStart }, at) =>
      errorsOf(keptDays, bucketStart * 1000, 'chartStat', at, 'bucketStart'),
    ),
  ];
}

/** Statements that find devices by their numbers or their keys. */
function statementsOf({ table: name, key }: DeviceKind) {
  const d = table(name, 'd');
  const finding = (by: Expression) =>
    statement<{ keys: readonly (number | string)[] }>()(
      (p) => sql<FoundDevice>`
        select ${d.id}, ${d.organization_id} as "organizationId", ${key ?? sql`null`} as key from ${d.table}
         where ${by} = any(${p('keys')}) and ${d.deleted_at} is null`,
    );
  return { byId: finding(d.id), byKey: key && finding(key) };
}
