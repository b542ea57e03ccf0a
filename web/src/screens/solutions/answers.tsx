import { ActionIcon, Text, Tooltip } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { useState } from 'react'
import { useCanEdit } from '../../api/operations.ts'
import { language, t } from '../../language/messages.ts'
import { StateBadge } from '../../parts/badges.tsx'
import { DecisionDialog } from '../../parts/decision-dialog.tsx'
import { Reference } from '../../parts/inline.tsx'
import { Picker } from '../../parts/picker.tsx'
import classes from './solution.module.css'
import { Section, type SolutionOutput } from './solution-parts.tsx'
import { useDecisionChange } from './use-decision-change.ts'

/** What choosing claims for a Solution means. */
export const ANSWERED = t('The problems and Opportunities that it answers; their evidence places it on the board.')

type Claim = SolutionOutput['answered_claims'][number]

/** The claims that a Solution answers, added and taken off by Decisions. */
export const AnsweredClaims = ({ solution }: { readonly solution: SolutionOutput }) => {
  const [adding, setAdding] = useState(false)
  const [leaving, setLeaving] = useState<Claim | null>(null)
  const canEdit = useCanEdit()
  const { answered_claims, claims } = solution
  return (
    <Section
      title={t('Claims answered')}
      count={claims}
      action={canEdit ? { label: t('Add claims'), run: () => setAdding(true) } : null}
    >
      {answered_claims.length === 0 && (
        <Text size="sm" c="dimmed">
          {t('None yet. Its evidence is that of the claims that it answers.')}
        </Text>
      )}
      <ul className={classes.rows}>
        {answered_claims.map(claim => (
          <li key={claim.id} className={classes.row}>
            <Reference of={claim.reference} />
            <bdi className={classes.name}>{claim.title}</bdi>
            <StateBadge state={claim.state} />
            {canEdit && (
              <Tooltip label={t('Remove')}>
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  size="sm"
                  aria-label={t('Remove {reference}', { reference: claim.reference })}
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
          {t('And {number} more.', { number: (claims - answered_claims.length).toLocaleString(language) })}
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
    doneMessage: t('{reference} answers more claims.', { reference }),
    onDone: onClose,
  })
  return (
    <DecisionDialog
      opened
      size="lg"
      title={t('Add claims to {reference}', { reference })}
      action={t('Add claims')}
      statement={
        claims.length === 0
          ? t('Let {reference} answer more claims.', { reference })
          : t('Let {reference} answer {claims}.', { reference, claims: claims.join(', ') })
      }
      change={adding}
      missing={claims.length === 0 ? t('a claim') : null}
      onClose={onClose}
      onDecide={grounds => adding.decide({ solution_id: reference, add_claim_ids: [...claims], version, ...grounds })}
    >
      <Picker
        type="claim"
        label={t('Claims')}
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
    doneMessage: t('{reference} is removed.', { reference: claim.reference }),
    onDone: onClose,
  })
  return (
    <DecisionDialog
      opened
      title={t('Remove {reference} from {reference2}', { reference: claim.reference, reference2: reference })}
      action={t('Remove')}
      statement={t('{reference} does not answer {reference2}.', { reference, reference2: claim.reference })}
      change={taking}
      onClose={onClose}
      onDecide={grounds =>
        taking.decide({ solution_id: reference, remove_claim_ids: [claim.reference], version, ...grounds })
      }
    >
      <Text size="sm">{t('Its evidence then no longer counts for this Solution.')}</Text>
    </DecisionDialog>
  )
}
