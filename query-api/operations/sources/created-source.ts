import { type Static, Type } from 'typebox'
import type { Answer, Services } from '../define.ts'
import { nullable, uuid } from '../parts/fields.ts'
import { Examples, examplesOf } from './examples/index.ts'
import { httpSourceKindOf } from './request-headers.ts'
import { setupSteps } from './setup-steps.ts'
import { sourceAddressOf } from './source-address.ts'
import { address, type SourceRow, url } from './source-shape.ts'

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
  const { id, settings } = source
  const reach = sourceAddressOf(services, source, source.slug)
  const posted = httpSourceKindOf(source)
  const examples =
    posted === null || reach.url === null || secret === null
      ? null
      : examplesOf(posted, { url: reach.url, secret, settings, at: services.now() })
  return {
    data: { id, ...reach, secret, examples, setup: setupSteps(source) },
    secretFields: ['secret', 'examples'],
  }
}
