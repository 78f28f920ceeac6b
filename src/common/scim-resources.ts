/** Reasons of SCIM errors (RFC 7644, table 9). */
export type ScimType =
  'invalidFilter' | 'invalidPath' | 'invalidSyntax' | 'invalidValue' | 'mutability' | 'noTarget' | 'uniqueness';

/** A SCIM error. `detail` never repeats the input. */
export class ScimError extends Error {
  constructor(
    readonly status: 400 | 403 | 404 | 409 | 412,
    readonly detail: string,
    readonly scimType?: ScimType,
  ) {
    super(detail);
    this.name = 'ScimError';
  }
}

export const invalidValue = (detail: string) => new ScimError(400, detail, 'invalidValue');
export const uniqueness = (detail: string) => new ScimError(409, detail, 'uniqueness');
export const otherState = () => new ScimError(412, 'The resource is in another state');
export const absentResource = () => new ScimError(404, 'There is no such resource');

/** A mail address in a directory. */
export interface ScimEmail {
  value: string;
  type?: string;
  primary?: boolean;
}

/** A user in a directory. */
export interface ScimUserValues {
  userName: string;
  externalId: string | null;
  givenName: string | null;
  familyName: string | null;
  displayName: string | null;
  emails: readonly ScimEmail[];
  active: boolean;
}

export interface ScimUserRecord extends ScimUserValues {
  id: string;
  createdAt: string;
  updatedAt: string;
  version: string;
  groups: readonly { value: string; display: string }[];
}

export interface ScimGroupValues {
  displayName: string;
  externalId: string | null;
  /** Ids of users. */
  members: ReadonlySet<string>;
}

export interface ScimGroupRecord extends Omit<ScimGroupValues, 'members'> {
  id: string;
  createdAt: string;
  updatedAt: string;
  version: string;
  /** Undefined unless selected. */
  members?: readonly { value: string; display: string }[];
}

export interface ScimFilter {
  attribute: 'userName' | 'externalId' | 'displayName' | 'members';
  value: string;
}

export interface ScimPage<Item> {
  total: number;
  items: readonly Item[];
}

/** The zero-based index of the first resource, and the most resources. */
export interface ScimPageRequest {
  filter: ScimFilter | undefined;
  offset: number;
  limit: number;
}
