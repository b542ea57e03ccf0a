import { Box, Button, Group, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { fromStored, t } from '../../language/messages.ts'
import { rich } from '../../language/rich.ts'
import { RejectedCandidates } from '../../parts/evidence/rejected-candidates.tsx'
import { Reference, When } from '../../parts/inline.tsx'
import { Judge } from '../../parts/merging.tsx'
import classes from './evidence-list.module.css'
import type { Claim, ClaimActs } from './use-claim.ts'

interface Props {
  readonly claim: Claim
  readonly canEdit: boolean
  readonly acts: ClaimActs
}

/** What was merged into a claim and what it is kept apart from, each with its reason and a way back. */
export const Lineage = ({ claim, canEdit, acts }: Props) => (
  <>
    {claim.merges.length > 0 && (
      <section aria-labelledby="merged">
        <Title order={2} id="merged" mb="sm">
          {t('Merged into it')}
        </Title>
        {claim.merged_references.length > claim.merges.length && (
          <Text size="xs" c="dimmed" mb="sm">
            {t('The newest {merges} of {merged_references}.', {
              merges: claim.merges.length,
              merged_references: claim.merged_references.length,
            })}
          </Text>
        )}
        <ol className="plain">
          {claim.merges.map(each => (
            <li key={each.id} className={classes.piece} aria-label={t('{merged} merged', { merged: each.merged })}>
              <Entry name={each.merged} title={each.title}>
                {canEdit && (
                  <Button
                    size="compact-xs"
                    variant="default"
                    disabled={acts.busy}
                    aria-label={t('Undo merge of {merged}', { merged: each.merged })}
                    onClick={() => acts.pullApart(each.merged, each.into)}
                  >
                    {t('Undo merge')}
                  </Button>
                )}
              </Entry>
              <Text size="xs" c="dimmed" component="div" className="anywhere">
                {rich('into {into} by {what}, {actor}, {when}{more}: {reason}', {
                  into: each.into,
                  what: each.merged_by === 'judge' ? <Judge>{t('the judge')}</Judge> : t('a member'),
                  actor: <bdi>{each.actor}</bdi>,
                  when: <When at={each.merged_at} />,
                  more: each.decision !== null && (
                    <>
                      , <Reference of={each.decision} />
                    </>
                  ),
                  reason: <bdi>{fromStored(each.reason)}</bdi>,
                })}
              </Text>
              <RejectedCandidates of={each.merged} rejected={each.rejected_candidates} />
            </li>
          ))}
        </ol>
      </section>
    )}
    {claim.kept_apart.length > 0 && (
      <section aria-labelledby="apart">
        <Title order={2} id="apart" mb="sm">
          {t('Kept apart from')}
        </Title>
        <ol className="plain">
          {claim.kept_apart.map(({ claim: other, title, by, reason, proposal_id }) => (
            <li key={proposal_id} className={classes.piece} aria-label={t('{other} kept apart', { other })}>
              <Entry name={other} linked title={title}>
                {canEdit && (
                  <Button
                    size="compact-xs"
                    variant="default"
                    disabled={acts.busy}
                    aria-label={t('Propose again {other}', { other })}
                    onClick={() => acts.proposeAgain(proposal_id, other)}
                  >
                    {t('Propose again')}
                  </Button>
                )}
              </Entry>
              <Text size="xs" c="dimmed" component="div" className="anywhere">
                {by !== null && (
                  <>
                    {rich('by {by}', { by: <bdi>{by}</bdi> })}
                    {reason !== null && ': '}
                  </>
                )}
                <bdi>{reason}</bdi>
              </Text>
            </li>
          ))}
        </ol>
      </section>
    )}
  </>
)

interface EntryProps {
  readonly name: string
  /** A merged claim’s own reference leads back to this page, so it is no link. */
  readonly linked?: boolean
  readonly title: string
  readonly children: ReactNode
}

const Entry = ({ name, linked = false, title, children }: EntryProps) => (
  <Group gap="sm" justify="space-between" wrap="nowrap" align="flex-start" mb="xs">
    <Text size="sm" component="div" flex={1} miw={0} className="anywhere">
      {linked ? (
        <Reference of={name} />
      ) : (
        <Text span size="sm" ff="monospace">
          {name}
        </Text>
      )}{' '}
      <bdi>{title}</bdi>
    </Text>
    <Box flex="none">{children}</Box>
  </Group>
)
