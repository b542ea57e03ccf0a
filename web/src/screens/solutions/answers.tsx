import { ActionIcon, Text, Tooltip } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { useState } from 'react'
import { useCanEdit } from '../../api/use-role.ts'
import { DecisionDialog } from '../../parts/decision-dialog.tsx'
import { Picker } from '../../parts/picking/picker.tsx'
import { Reference } from '../../parts/reference.tsx'
import { StateBadge } from '../../parts/state-badge.tsx'
import { Section } from './section.tsx'
import classes from './solution.module.css'
import type { SolutionOutput } from './solution-tabs.tsx'
import { useDecisionChange } from './use-decision-change.ts'

/** What choosing claims for a Solution means. */
export const ANSWERED = 'The problems and Opportunities that it answers; their evidence places it on the board.'

type Claim = SolutionOutput['answered_claims'][number]

/** The claims that a Solution answers, added and taken off by Decisions. */
export const AnsweredClaims = ({ solution }: { readonly solution: SolutionOutput }) => {
  const [adding, setAdding] = useState(false)
  const [leaving, setLeaving] = useState<Claim | null>(null)
  const canEdit = useCanEdit()
  const { answered_claims, claims } = solution
  return (
    <Section
      title="Claims answered"
      count={claims}
      action={canEdit ? { label: 'Add claims', run: () => setAdding(true) } : null}
    >
      {answered_claims.length === 0 && (
        <Text size="sm" c="dimmed">
          None yet. Its evidence is that of the claims that it answers.
        </Text>
      )}
      <ul className={classes.rows}>
        {answered_claims.map(claim => (
          <li key={claim.id} className={classes.row}>
            <Reference of={claim.reference} />
            <bdi className={classes.name}>{claim.title}</bdi>
            <StateBadge state={claim.state} />
            {canEdit && (
              <Tooltip label="Remove">
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  size="sm"
                  aria-label={`Remove ${claim.reference}`}
                  onClick={() => setLeaving(claim)}
                >
                  <IconX size={14} />
                </ActionIcon>
              </Tooltip>
            )}
          </li>
        ))}
      </ul>
      {answered_claims.length < claims && (
        <Text size="sm" c="dimmed" mt="sm">
          And {(claims - answered_claims.length).toLocaleString('en')} more.
        </Text>
      )}
      {adding && <AddClaims solution={solution} onClose={() => setAdding(false)} />}
      {leaving !== null && <RemoveFromRoadmap solution={solution} claim={leaving} onClose={() => setLeaving(null)} />}
    </Section>
  )
}

interface DialogProps {
  readonly solution: SolutionOutput
  readonly onClose: () => void
}

const AddClaims = ({ solution: { reference, version, answered_claims }, onClose }: DialogProps) => {
  const [claims, setClaims] = useState<readonly string[]>([])
  const adding = useDecisionChange('update_solution', {
    doneMessage: `${reference} answers more claims.`,
    onDone: onClose,
  })
  return (
    <DecisionDialog
      opened
      size="lg"
      title={`Add claims to ${reference}`}
      action="Add claims"
      statement={`Let ${reference} answer ${claims.length === 0 ? 'more claims' : claims.join(', ')}.`}
      change={adding}
      missing={claims.length === 0 ? 'a claim' : null}
      onClose={onClose}
      onDecide={grounds => adding.decide({ solution_id: reference, add_claim_ids: [...claims], version, ...grounds })}
    >
      <Picker
        type="claim"
        label="Claims"
        description={ANSWERED}
        value={claims}
        onChange={setClaims}
        without={answered_claims.map(one => one.reference)}
      />
    </DecisionDialog>
  )
}

const RemoveFromRoadmap = ({
  solution: { reference, version },
  claim,
  onClose,
}: DialogProps & { readonly claim: Claim }) => {
  const taking = useDecisionChange('update_solution', {
    doneMessage: `${claim.reference} is removed.`,
    onDone: onClose,
  })
  return (
    <DecisionDialog
      opened
      title={`Remove ${claim.reference} from ${reference}`}
      action="Remove"
      statement={`${reference} does not answer ${claim.reference}.`}
      change={taking}
      onClose={onClose}
      onDecide={grounds =>
        taking.decide({ solution_id: reference, remove_claim_ids: [claim.reference], version, ...grounds })
      }
    >
      <Text size="sm">Its evidence then no longer counts for this Solution.</Text>
    </DecisionDialog>
  )
}
