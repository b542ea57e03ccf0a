import { type Static, Type } from 'typebox'
import { DESCRIPTIONS, isPosted } from '../../../model/sources/kinds/index.ts'
import type { SourceIdentity, SourceRow } from '../../../model/sources/read-sources.ts'
import type { Answer, Services } from '../define.ts'
import { nullable, uuid } from '../parts/fields.ts'
import { Examples, examplesOf } from './examples/index.ts'
import { sourceAddressOf } from './source-address.ts'
import { address, url } from './source-shape.ts'

/** A source with its secret, in the one answer that shows it. */
export const CreatedSource = Type.Object({
  id: uuid,
  url,
  address,
  secret: nullable(
    Type.String({
      description: 'Shown this once. Null for mail, which has none, and when an idempotent call is repeated.',
    }),
  ),
  examples: nullable(Examples),
  setup: Type.Array(Type.String(), { description: 'What to do with them, step by step.' }),
})
export type CreatedAnswer = Answer<Static<typeof CreatedSource>>

/** Answers a source together with the secret that it was just given; null for mail. */
export const revealSource = (
  services: Pick<Services, 'baseUrl' | 'mailDomain' | 'now'>,
  source: SourceRow,
  secret: string | null,
): CreatedAnswer => {
  const { id, kind, code_host, settings } = source
  const reach = sourceAddressOf(services, source, source.slug)
  const examples =
    !isPosted(kind) || reach.url === null || secret === null
      ? null
      : examplesOf({ kind, code_host }, { url: reach.url, secret, settings, at: services.now() })
  return {
    data: { id, ...reach, secret, examples, setup: setupSteps(source) },
    secretFields: ['secret', 'examples'],
  }
}

/** What a person does with what creating a source answered, step by step. */
const setupSteps = ({ kind, code_host }: Pick<SourceIdentity, 'kind' | 'code_host'>): string[] =>
  DESCRIPTIONS[kind].connectables
    .filter(connectable => connectable.code_host === code_host)
    .flatMap(({ steps }) => steps)
