// Loaded when somebody changes a Solution: in one file, since each is small.
export { AddClaims, RemoveClaim } from './answered-claims.tsx'
export { BoostDialog, HandOffDialog } from './boost-and-hand-off.tsx'
export { EditDialog, MoveDialog } from './edit-and-move.tsx'
export { ScoreExplanation } from './score-explanation.tsx'
