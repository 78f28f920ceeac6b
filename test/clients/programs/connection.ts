/** Which gateway a program calls, and as which member of which organization. */
export interface Connection {
  url: string;
  token: string;
  organizationId: number;
}
