import type { Transaction } from '../../infra/postgres/port.ts'
import type { Identifiable } from './identifiable.ts'
import { type Candidate, resolve, unresolved } from './resolve.ts'

/**
 * The one object that `identifier` stands for among several kinds. Throws `not_found`, or `ambiguous` where it fits several objects of one kind
 * or of different ones, with the candidates.
 */
export const resolveAmong = async <Kind extends Identifiable>(
  transaction: Transaction,
  kinds: readonly [Kind, ...Kind[]],
  identifier: string,
): Promise<Candidate & { readonly kind: Kind }> => {
  const found: (Candidate & { readonly kind: Kind })[] = []
  const near: Candidate[] = []
  for (const kind of kinds) {
    const resolution = await resolve(transaction, kind, identifier)
    if (resolution.kind === 'one') found.push({ ...resolution.found, kind })
    else if (resolution.kind === 'several') throw unresolved(kind, identifier, 'several', resolution.candidates)
    else near.push(...resolution.candidates)
  }
  const [one, ...others] = found
  if (one === undefined) throw unresolved(kinds[0], identifier, 'none', near)
  if (others.length > 0) throw unresolved(one.kind, identifier, 'several', found)
  return one
}
