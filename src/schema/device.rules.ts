import { wireName } from '../engine/wire.js';
import { CHECK_STATUSES } from '../vocabulary/check-statuses.js';
import { LIMITS } from '../vocabulary/limits.js';
import { visibleText } from '../vocabulary/visible-text.js';
import type { CreateCloudDefenderInput, UpdateCloudDefenderInput } from './cloud-defender.input.js';
import type { DeviceFilter } from './device.input.js';
import { checkInput } from './input-faults.js';
import { isEmailAddress, isHostname, isIpAddress } from './formats.js';
import {
  formatted,
  freeJson,
  isAbsent,
  type JsonRecord,
  listOf,
  optional,
  optionalText,
  type Rule,
  text,
  trimmedText,
} from './rules.js';
import type { CreateThreatBlockerInput, UpdateThreatBlockerInput } from './threat-blocker.input.js';

/** What is written of a device, by property of its service; what was not sent is not among them. */
export type WrittenDevice = Record<string, unknown>;

const MAX = LIMITS.device;
const { emailCharacters, domainCharacters } = LIMITS.organization;

const word = trimmedText(MAX.wordCharacters);
const email = formatted(emailCharacters, isEmailAddress, 'must be an e-mail address');
const fqdn = formatted(domainCharacters, isHostname, 'must be a hostname');
const address = formatted(MAX.addressCharacters, isIpAddress, 'must be an IPv4 or IPv6 address');
const services = listOf('strings', MAX.services, word);

/** Of an input object in an input: its fields, each named as REST spells it. */
export function fields(rules: Readonly<Record<string, Rule>>): Rule {
  const entries = Object.entries(rules).map(([name, rule]) => [name, wireName(name), rule] as const);
  return (value, faults) => {
    const owner = value as JsonRecord;
    for (const [name, path, rule] of entries) faults.at(path, owner[name], rule, owner);
  };
}

/** `check.status`, or a part of `check.stat`. */
export const state: Rule = (value, faults) => {
  if (!(STATES as unknown[]).includes(value)) faults.add(`must be one of ${STATES.join(', ')}`);
};

const STATES = Object.values(CHECK_STATUSES);

const plugin = fields({
  name: optional(text(MAX.wordCharacters)),
  config: optional(freeJson(MAX.configLevels, MAX.configBytes)),
});

/** What a device cannot do without. */
const EDGE = { email, fqdn, endpoint: address };
const BLOCKER = { type: word, email, endpoint: address };
const EDGE_MAY = { services: optional(services) };
const BLOCKER_MAY = {
  plugin: optional(plugin),
  privateIP: optionalText(address),
  services: optional(services),
  deviceId: optional(text(MAX.deviceIdCharacters)),
};

/** Throws BAD_USER_INPUT with all faults. */
export function newCloudDefender(input: CreateCloudDefenderInput): WrittenDevice {
  checkInput(input, { ...EDGE, ...EDGE_MAY });
  return writtenOf({ services: null, ...input });
}

/** As `newCloudDefender`; only what was sent. */
export function changedCloudDefender(input: UpdateCloudDefenderInput): WrittenDevice {
  checkInput(input, { ...unlessAbsent(EDGE), ...EDGE_MAY });
  return writtenOf({ ...input });
}

export function newThreatBlocker(input: CreateThreatBlockerInput): WrittenDevice {
  checkInput(input, { ...BLOCKER, ...BLOCKER_MAY });
  // A plug-in may come without its name or its configuration.
  const bare = pluginOf({ name: null, config: null });
  return { ...bare, ...writtenOf({ privateIP: null, services: null, deviceId: null, ...input }) };
}

export function changedThreatBlocker(input: UpdateThreatBlockerInput): WrittenDevice {
  checkInput(input, { ...unlessAbsent(BLOCKER), ...BLOCKER_MAY });
  return writtenOf({ ...input });
}

/** Throws BAD_USER_INPUT for a status that there is not: nothing would meet it. */
export function checkDeviceFilter(filter: DeviceFilter | null | undefined): void {
  if (filter != null) checkInput(filter, { status: optional(state) });
}

/** A field that is absent stays as it is; null would empty it, and these cannot be empty. */
function unlessAbsent<Names extends string>(rules: Readonly<Record<Names, Rule>>): Record<Names, Rule> {
  const entries = Object.entries<Rule>(rules).map(([name, rule]): [string, Rule] => [
    name,
    (value, faults, owner) => {
      if (value === null) faults.add('must not be null');
      else if (value !== undefined) rule(value, faults, owner);
    },
  ]);
  return Object.fromEntries(entries) as Record<Names, Rule>;
}

/** How each field is stored; null is empty. What an input names a device or an organization by is none of it. */
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

function writtenOf(input: JsonRecord): WrittenDevice {
  const written = Object.entries(input).map(([name, value]) =>
    value === undefined ? {} : (STORED[name]?.(value as never) ?? {}),
  );
  return Object.assign({}, ...written) as WrittenDevice;
}

function pluginOf({ name, config }: { name?: string | null; config?: object | null }): WrittenDevice {
  return {
    ...(name !== undefined && { pluginName: isAbsent(name) ? '' : visibleText(name).trim() }),
    ...(config !== undefined && { pluginConfig: isAbsent(config) ? {} : config }),
  };
}
