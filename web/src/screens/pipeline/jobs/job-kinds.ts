import type { Input } from '../../../api/client.ts'
import { t } from '../../../language/messages.ts'

export type Startable = Exclude<Input<'start_job'>['job_kind'], 'replay'>

/** What each kind of long work does, for people. */
const TITLES: Readonly<Record<string, string>> = {
  replay: t('Replay of dead letters'),
  re_embed: t('Embed again'),
  re_anchor: t('Place on the map again'),
  re_judge: t('Judge proposals again'),
  re_scrub: t('Remove personal data again'),
  learn: t('Learn from what people said'),
  calibrate: t('Fit what the model’s cosine means'),
  review: t('Prepare a Product Review'),
  take_out: t('Send repeats that were taken out'),
}

/** A kind of which nothing is known here is shown by its own name. */
export const titleOf = (kind: string): string => TITLES[kind] ?? kind.replaceAll('_', ' ')

export const STARTABLE: readonly { readonly kind: Startable; readonly about: string }[] = [
  { kind: 're_embed', about: t('Vectors of the present model for whatever lacks one') },
  { kind: 're_anchor', about: t('The nearest node of the map for each signal') },
  { kind: 're_judge', about: t('The judge’s word on each proposed merge that waits') },
  { kind: 'learn', about: t('What people made of signals, for the next that are classified') },
  { kind: 're_scrub', about: t('What the present rules find in all that there is') },
]
