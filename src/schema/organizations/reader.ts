import type { IncomingFile } from '../../storage/incoming-file.js';
import { visibleText } from '../../common/visible-text.js';
import type { FrameworkValue, Infrastructure } from '../../values/enums.js';
import type {
  ComplianceFrameworkInput,
  ContactInput,
  CreateOrganizationInput,
  UpdateOrganizationInput,
} from './inputs.js';

interface StoredContact {
  name: string;
  role: string;
  email: string;
  phone: string;
  emailReport: boolean;
}

interface StoredFramework {
  value: FrameworkValue;
  /** As sent, key for key. */
  fields: Readonly<Record<string, unknown>>;
}

/** An organization as stored. Absent fields are empty ('' / [] / null for a number), never invented. */
export interface StoredOrganization {
  name: string;
  description: string;
  numberEmployees: number | null;
  website: string;
  logo: string;
  sectors: string[];
  industries: string[];
  nis2Sector: string;
  complianceFrameworks: StoredFramework[];
  infrastructure: Infrastructure | '';
  contacts: StoredContact[];
  domains: string[];
  ips: string[];
}

/** A new organization as it is stored. */
export function readOrganization(input: CreateOrganizationInput): {
  organization: StoredOrganization & { sandbox: boolean };
  logoFile: IncomingFile | null;
} {
  return {
    organization: { ...storedOrganization(input), sandbox: input.sandbox === true },
    logoFile: input.logoFile ?? null,
  };
}

/** The fields that a change has, as they are stored; null is empty. */
export function readOrganizationChange(input: UpdateOrganizationInput): {
  change: Partial<StoredOrganization>;
  logoFile: IncomingFile | null;
} {
  const sent = Object.entries(storedOrganization(input)).filter(
    ([field]) => input[field as keyof StoredOrganization] !== undefined,
  );
  return { change: Object.fromEntries(sent), logoFile: input.logoFile ?? null };
}

function storedOrganization(sent: Omit<CreateOrganizationInput, 'sandbox'>): StoredOrganization {
  return {
    name: visibleText(sent.name ?? '').trim(),
    description: sent.description ?? '',
    // Minus zero is zero.
    numberEmployees: sent.numberEmployees == null ? null : sent.numberEmployees + 0,
    website: sent.website ?? '',
    logo: sent.logo ?? '',
    sectors: distinct(sent.sectors),
    industries: distinct(sent.industries),
    nis2Sector: sent.nis2Sector ?? '',
    complianceFrameworks: (sent.complianceFrameworks ?? []).map(storedFramework),
    infrastructure: (sent.infrastructure ?? '') as Infrastructure | '',
    contacts: (sent.contacts ?? []).map(storedContact),
    domains: distinct(sent.domains?.map((domain) => domain.toLowerCase())),
    ips: distinct(sent.ips),
  };
}

function storedFramework({ value, fields }: ComplianceFrameworkInput): StoredFramework {
  return { value: value as FrameworkValue, fields };
}

function storedContact({ name, role, email, phone, emailReport }: ContactInput): StoredContact {
  return {
    name: visibleText(name ?? ''),
    role: visibleText(role ?? ''),
    email: (email ?? '').trim(),
    phone: visibleText(phone ?? ''),
    emailReport: emailReport === true,
  };
}

function distinct(items: readonly string[] | undefined | null): string[] {
  return [...new Set(items)];
}
