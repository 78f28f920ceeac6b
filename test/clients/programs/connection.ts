/** Address of the gateway, token and organization of a program. */
export interface Connection {
  url: string;
  token: string;
  organizationId: number;
}
