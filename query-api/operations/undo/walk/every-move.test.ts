import { KNOWN_WALKS } from './known-walks.testing.ts'
import { MOVE_KINDS } from './moves.testing.ts'
import { testWalks } from './walks.testing.ts'

testWalks('whatever is done to signals and claims and taken back, each signal is evidence where a model says', {
  kinds: MOVE_KINDS,
  mayBeRare: 2,
  known: KNOWN_WALKS,
})
