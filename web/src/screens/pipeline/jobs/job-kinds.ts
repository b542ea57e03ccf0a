import type { Input } from '../../../api/client.ts'

export type Startable = Exclude<Input<'start_job'>['job_kind'], 'replay'>

/** What each kind of long work does, for people. */
const TITLES: Readonly<Record<string, string>> = {
  replay: 'Replay of dead letters',
  re_embed: 'Embed again',
  re_anchor: 'Place on the map again',
  re_judge: 'Judge proposals again',
  re_scrub: 'Remove personal data again',
  learn: 'Learn from what people said',
  calibrate: 'Fit what the model’s cosine means',
  review: 'Prepare a Product Review',
  erase: 'Erase',
  take_out: 'Send repeats that were taken out',
}

/** A kind of which nothing is known here is shown by its own name. */
export const titleOf = (kind: string): string => TITLES[kind] ?? kind.replaceAll('_', ' ')

export const STARTABLE: readonly { readonly kind: Startable; readonly about: string }[] = [
  { kind: 're_embed', about: 'Vectors of the present model for whatever lacks one' },
  { kind: 're_anchor', about: 'The nearest node of the map for each signal' },
  { kind: 're_judge', about: 'The judge’s word on each proposed merge that waits' },
  { kind: 'learn', about: 'What people made of signals, for the next that are classified' },
  { kind: 're_scrub', about: 'What the present rules find in all that there is' },
]
