import type { Member } from './member-piece.tsx'

export const memberForTests = (number: number, rest: Partial<Member> = {}): Member => ({
  signal_id: `id-${number}`,
  reference: `SIG-${number}`,
  text: '',
  classification: 'problem',
  language: null,
  state: 'triage',
  claim: null,
  is_confirmed: false,
  is_doubtful: false,
  occurred_at: '2026-01-01T00:00:00Z',
  ...rest,
})
