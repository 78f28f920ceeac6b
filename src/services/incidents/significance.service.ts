import type { Access } from '../../auth/access.js';
import type { Caller } from '../../auth/caller.js';
import { db, statement } from '../../database/sql.js';
import { invalidInput, notFound } from '../../errors.js';
import type { Language } from '../../messages/language.js';
import { changesBetween } from '../audit/record.js';
import { awarenessDay } from './applying-regimes.js';
import {
  changeIncident,
  incidentFacts,
  refuseClosed,
  type ChangedIncidentKey,
  type IncidentChangeDeps,
  type IncidentFacts,
  type IncidentKey,
} from './incidents.service.js';
import {
  assess,
  offeredQuestions,
  type OfferedQuestions,
  type SignificanceAnswers,
  type SignificanceQuestion,
} from './significance.js';

/** The same by the names of the API. */
interface PublishedQuestions {
  services: { service: string; label: string }[];
  questions: (Omit<SignificanceQuestion, 'id'> & { question: string })[];
}

export interface IncidentAssessment extends ChangedIncidentKey, SignificanceAnswers {}

const setSignificance = statement<{ id: number; significant: boolean; now: Date }>()((p) =>
  db
    .updateTable('incident')
    .set({ significant: p('significant'), updated_at: p('now') })
    .where('id', '=', p('id')),
);

/** Significance of incidents, by answers to the questions of the acts that define it (docs/adr/0011). */
export class IncidentSignificanceService {
  constructor(
    private readonly access: Access,
    private readonly deps: IncidentChangeDeps,
  ) {}

  /** The questions about an incident, by the facts of its organization. Throws NOT_FOUND and FORBIDDEN. */
  async questions(
    caller: Caller,
    { organizationId, incidentId }: IncidentKey,
    language: Language,
  ): Promise<PublishedQuestions> {
    await this.access.authorize(caller, 'READ_INCIDENTS', organizationId);
    const [incident] = await incidentFacts(this.deps.database, [incidentId]);
    if (incident?.organizationId !== organizationId) throw notFound();
    const { services, questions } = this.offered(incident);
    return language.translatedTexts({
      services: services.map(({ id: service, label }) => ({ service, label })),
      questions: questions.map(({ id: question, ...rest }) => ({ ...rest, question })),
    });
  }

  /**
   * Sets whether an incident is significant by the answers, with the resulting reason. Making a significant one
   * insignificant requires rank 3. Throws NOT_FOUND, FORBIDDEN, BAD_USER_INPUT for contradictory or insufficient
   * answers, and CONFLICT for a closed incident.
   */
  async assess(caller: Caller, { services, answers, ...key }: IncidentAssessment): Promise<void> {
    const user = await this.access.authorizeWrite(caller, 'EDIT_INCIDENTS', key.organizationId);
    await changeIncident(this.deps, user, key, async (tx, incident, now) => {
      refuseClosed(incident);
      const assessment = assess(this.offered(incident), { services, answers }, incident);
      if ('errors' in assessment) throw invalidInput(assessment.errors);
      const { significant, reason } = assessment;
      if (incident.significant && !significant)
        await this.access.authorize(caller, 'CORRECT_REPORTS', key.organizationId);
      await setSignificance.all(tx, { id: incident.id, significant, now });
      const given = {
        services,
        answers: answers.map(({ question, answer }) => `${question} ${answer ? 'yes' : 'no'}`),
      };
      const changes = { ...changesBetween<object>(incident, { significant }), ...changesBetween<object>({}, given) };
      return { action: 'INCIDENT_ASSESSED', changes, reason };
    });
  }

  private offered(incident: IncidentFacts): OfferedQuestions {
    const { significance } = this.deps.regimes;
    return offeredQuestions(significance, incident.organizationFacts.values, awarenessDay(incident));
  }
}
