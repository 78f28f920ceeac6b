import type { Language } from '../../messages/language.js';
import type { IncidentClock, IncidentStage } from './reporting-clock.js';

/** A clock with translated texts of regimes; texts of users are unchanged. */
export function translatedClock<Clock extends Pick<IncidentClock, 'stages' | 'outOfScope'>>(
  clock: Clock,
  language: Language,
): Clock {
  return {
    ...clock,
    stages: clock.stages.map((stage) => ({ ...stage, ...translatedStage(stage, language) })),
    outOfScope: clock.outOfScope.map(({ regimeId, regimeName, source, reason }) => ({
      ...{ regimeId, regimeName: language.translated(regimeName), source: language.translated(source) },
      reason: language.sentence(language.translated(reason)),
    })),
  };
}

type StageTexts = Pick<IncidentStage, 'regimeName' | 'source' | 'reason' | 'recipient'>;

export function translatedStage(stage: StageTexts, language: Language): StageTexts {
  return {
    regimeName: language.translated(stage.regimeName),
    source: language.translated(stage.source),
    reason: translatedReason(stage.reason, language),
    recipient: language.translated(stage.recipient),
  };
}

/** For a conditional report, the conditions follow the reason of the regime as a second text. */
function translatedReason(reason: string, language: Language): string {
  const whole = language.translated(reason);
  if (whole !== reason) return whole;
  for (const { index } of reason.matchAll(/\. /g)) {
    const parts = [reason.slice(0, index + 1), reason.slice(index + 2)];
    const made = parts.map((part) => language.translated(part));
    if (made.every((text, at) => text !== parts[at])) return made.join(' ');
  }
  return language.sentence(reason);
}
