import type { IncidentSeverity, IncidentStatus } from '../gql/graphql.js';
import type { Tone } from './basics.js';

export function severityTone(severity: IncidentSeverity): Tone {
  if (severity === 'CRITICAL' || severity === 'HIGH') return 'bad';
  return severity === 'MEDIUM' ? 'warn' : 'quiet';
}

export function statusTone(status: IncidentStatus): Tone {
  if (status === 'OPEN') return 'warn';
  return status === 'CLOSED' ? 'quiet' : 'good';
}
