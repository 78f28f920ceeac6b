import { visibleText } from '../common/visible-text.js';
import type { DeviceReport } from '../services/devices/device-report-storage.js';
import type { AddressedReport } from '../services/devices/device-reports.service.js';

/** The query of one, and the record in payloads. */
export type DeviceName = 'cloudDefender' | 'threatBlocker';

/** Written values of a device, by property of its service. */
type WrittenDevice = Record<string, unknown>;

/** The stored form of each field; null is empty. Fields that identify a device or an organization are not included. */
const STORED: Readonly<Record<string, (value: never) => WrittenDevice>> = {
  email: (value: string) => ({ email: value }),
  fqdn: (value: string) => ({ fqdn: value.toLowerCase() }),
  endpoint: (value: string) => ({ endpoint: value }),
  type: (value: string) => ({ type: visibleText(value).trim() }),
  privateIP: (value: string | null) => ({ privateIP: value ?? '' }),
  deviceId: (value: string | null) => ({ deviceId: visibleText(value ?? '').trim() }),
  services: (value: string[] | null) => ({ services: [...new Set(value?.map((item) => visibleText(item).trim()))] }),
  plugin: (value: object | null) => pluginOf({ ...(value ?? { name: null, config: null }) }),
};

/** The values that an input writes, without fields that were not sent. */
export function readDevice(input: object): WrittenDevice {
  const written = Object.entries(input).map(([name, value]) =>
    value === undefined ? {} : (STORED[name]?.(value as never) ?? {}),
  );
  return Object.assign({}, ...written) as WrittenDevice;
}

function pluginOf({ name, config }: { name?: string | null; config?: object | null }): WrittenDevice {
  return {
    ...(name !== undefined && { pluginName: name === null ? '' : visibleText(name).trim() }),
    ...(config !== undefined && { pluginConfig: config === null ? {} : config }),
  };
}

/** A change of a device, of whatever kind. */
export interface ChangeOfDevice {
  version?: number | null;
}

/** The reports that a device sends; they have not passed its rules. */
export interface SentReports {
  reports: readonly object[];
}

/** Reports as services take them: absent fields are empty. */
export function readReports({ reports }: SentReports): DeviceReport[] {
  return (reports as Partial<DeviceReport>[]).map(
    (report) => ({ ...report, webStat: report.webStat ?? null, chartStat: report.chartStat ?? [] }) as DeviceReport,
  );
}

/** Which device one of many reports is of. */
export function addressOf(report: object, one: DeviceName): Omit<AddressedReport, 'report'> {
  const { atbKey, [`${one}Id`]: id } = report as { atbKey?: string | null } & Record<string, number>;
  if (atbKey != null) return { address: { atbKey }, addressedBy: 'atbKey' };
  return { address: { id: id! }, addressedBy: `${one}Id` };
}
