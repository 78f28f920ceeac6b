import type { ClassType } from 'type-graphql';
import type { DeviceIdInput } from '../schema/device.input.js';
import type { WrittenDevice } from '../schema/device.rules.js';

/** One kind of device as the schema speaks of it: its names, its types, and how its inputs are read. */
export interface DeviceNoun<
  Create extends { organizationId: number },
  Update extends { id: number },
  Report extends object,
> {
  /** `cloudDefender`: the query of one, and the record in payloads. */
  one: string;
  /** `cloudDefenders`: the query of many, and the list of an organization. */
  many: string;
  /** `CloudDefender`, as mutations end. */
  name: string;
  /** `an edge-protection configuration` */
  words: string;
  /** `edge-protection configurations` */
  plural: string;
  type: ClassType;
  connection: ClassType;
  check: ClassType;
  series: ClassType;
  create: Change<Create>;
  update: Change<Update>;
  remove: Change<DeviceIdInput>;
  restore: Change<DeviceIdInput>;
  report: Change<Report>;
  read: { new: (input: Create) => WrittenDevice; changed: (input: Update) => WrittenDevice };
}

interface Change<Input> {
  input: ClassType<Input & object>;
  payload: ClassType;
}

/** What a device sends of itself; it has not passed its rules. */
export interface SentReports {
  id: number;
  reports: readonly object[];
}

export function capital(words: string): string {
  return `${words[0]?.toUpperCase()}${words.slice(1)}`;
}
