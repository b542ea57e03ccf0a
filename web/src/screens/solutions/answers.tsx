import { ActionIcon, Text, Tooltip } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { useState } from 'react'
import { useCanEdit } from '../../api/operations.ts'
import { fromStored, language, t } from '../../language/messages.ts'
import { StateBadge } from '../../parts/badges.tsx'
import { Reference } from '../../parts/inline.tsx'
import { AddClaims, RemoveClaim } from './later-dialogs.tsx'
import classes from './solution.module.css'
import { Section, type SolutionOutput } from './solution-parts.tsx'

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
          {t('None yet. A Solution gets its evidence from the claims that it answers.')}
        </Text>
      )}
      <ul className={classes.rows}>
        {answered_claims.map(claim => (
          <li key={claim.id} className={classes.row}>
            <Reference of={claim.reference} about={fromStored(claim.title)} />
            <bdi className={classes.name}>{fromStored(claim.title)}</bdi>
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
      {leaving !== null && <RemoveClaim solution={solution} claim={leaving} onClose={() => setLeaving(null)} />}
    </Section>
  )
}
