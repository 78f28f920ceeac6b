import type { IncidentSeverity, IncidentStatus } from '../gql/graphql.js';
import { label, text } from '../texts.js';
import { Badge, type Tone } from './basics.js';

export const SEVERITIES: readonly IncidentSeverity[] = ['LOW', 'MEDIUM', 'HIGH', 'CRITICAL'];

const SEVERITY_TONES: Record<IncidentSeverity, Tone> = { LOW: 'quiet', MEDIUM: 'warn', HIGH: 'bad', CRITICAL: 'bad' };
const STATUS_TONES: Record<IncidentStatus, Tone> = {
  OPEN: 'warn',
  CONTAINED: 'good',
  RESOLVED: 'good',
  CLOSED: 'quiet',
};

interface BadgesProps {
  incident: { status: IncidentStatus; severity: IncidentSeverity; significant: boolean; rehearsal?: boolean };
}

export function IncidentBadges({ incident: { status, severity, significant, rehearsal } }: BadgesProps) {
  return (
    <span class="badges">
      {rehearsal && <Badge tone="warn">{text('pages.rehearsal.title')}</Badge>}
      <Badge tone={STATUS_TONES[status]}>{label('IncidentStatus', status)}</Badge>
      <Badge tone={SEVERITY_TONES[severity]}>{label('IncidentSeverity', severity)}</Badge>
      {significant && <Badge tone="warn">{text('pages.incident.significant')}</Badge>}
    </span>
  );
}
