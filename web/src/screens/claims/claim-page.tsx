import { Anchor, Group, SimpleGrid, Stack, Text, Title } from '@mantine/core'
import { Link } from 'react-router'
import { useRole } from '../../api/operations.ts'
import { fromStored, language, plural, t } from '../../language/messages.ts'
import { rich } from '../../language/rich.ts'
import { StateBadge } from '../../parts/badges.tsx'
import { Discussion } from '../../parts/discussion/discussion.tsx'
import { History } from '../../parts/evidence/decisions.tsx'
import { priority } from '../../parts/formats.ts'
import { When } from '../../parts/inline.tsx'
import { Figure, MoreButton } from '../../parts/lists.tsx'
import { Page, PageHeader } from '../../parts/page.tsx'
import { Quote } from '../../parts/quote.tsx'
import { ErrorState, LoadingState, Together } from '../../parts/states.tsx'
import { TitleField, useTitleField } from '../../parts/title-field.tsx'
import { AnsweringSolutions, Notes } from './answers-and-notes.tsx'
import { ClaimActions } from './claim-actions.tsx'
import { EvidenceList } from './evidence-list.tsx'
import { type KindProps, LOOKS } from './kind-icon.tsx'
import { Lineage } from './lineage.tsx'
import { MergedMeanwhile } from './merged-meanwhile.tsx'
import { useClaim, useClaimActs } from './use-claim.ts'

interface Props {
  /** A reference, of a merged claim too: it shows the claim that it lives on in. */
  readonly id: string
}

/** One claim: what it says, what is behind it and why, what it was merged with, and what answers it. */
export const ClaimPage = ({ id }: Props) => {
  const query = useClaim(id)
  const { claim, evidence, error } = query
  const role = useRole()
  const acts = useClaimActs(claim)
  // A title that was begun for a claim that was merged is none of the claim that it lives on in.
  const renaming = useTitleField(claim?.reference ?? id)
  const canEdit = role === 'owner' || role === 'member'
  if (claim === undefined) {
    return (
      <Page>
        <PageHeader title={id} />
        {error === null ? <LoadingState rows={8} height={56} /> : <ErrorState error={error} retry={query.refetch} />}
      </Page>
    )
  }
  return (
    <Page>
      <MergedMeanwhile id={id} reference={claim.reference} />
      <Group gap="md" mb="xs">
        <Text size="sm" ff="monospace">
          {claim.reference}
        </Text>
        <KindLabel kind={claim.kind} />
        <StateBadge state={claim.state} />
        {claim.merged_references.length > 0 && (
          <Text size="xs" c="dimmed">
            {t('also {merged_references}', { merged_references: claim.merged_references.join(', ') })}
          </Text>
        )}
      </Group>
      <PageHeader
        title={fromStored(claim.title)}
        tab={`${claim.reference} ${fromStored(claim.title)}`}
        {...(renaming.isOpen && {
          edited: (
            <TitleField
              key={claim.reference}
              of={claim.reference}
              title={claim.title}
              version={claim.version}
              onSave={acts.rename}
              onClose={renaming.close}
            />
          ),
        })}
      >
        {canEdit && <ClaimActions claim={claim} acts={acts} onRename={renaming.open} />}
      </PageHeader>
      <Group component="dl" gap="xl" m={0} mb="lg">
        <Figure label={t('Evidence priority')} value={priority(claim.evidence_priority)} />
        <Figure label={t('Signals')} value={claim.signals} />
        <Figure label={t('Actors')} value={claim.actors} />
        <Figure
          label={t('Newest evidence')}
          value={claim.last_evidence_at === null ? '–' : <When at={claim.last_evidence_at} />}
        />
        <Figure label={t('Started')} value={<When at={claim.created_at} />} />
      </Group>
      {claim.text !== claim.title && claim.text !== '' && (
        <div className="reading">
          <Quote text={claim.text} />
        </div>
      )}
      {claim.waiting_proposals > 0 && (
        <Text size="sm" mt="md">
          {rich(
            plural(
              claim.waiting_proposals,
              '<link>{number} merge with it</link> is proposed.',
              '<link>{number} merges with it</link> are proposed.',
            ),
            {
              link: inner => (
                <Anchor component={Link} to="/app/proposals" inherit underline="always">
                  {inner}
                </Anchor>
              ),
            },
          )}
        </Text>
      )}
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="xl" verticalSpacing="lg" mt="lg">
        <section aria-labelledby="evidence">
          <Title order={2} id="evidence" mb="sm">
            {rich('Evidence {count}', {
              count: (
                <Text span inherit c="dimmed" fw={400}>
                  {claim.evidence.count.toLocaleString(language)}
                </Text>
              ),
            })}
          </Title>
          <EvidenceList evidence={evidence} count={claim.evidence.count} canEdit={canEdit} acts={acts} />
          <MoreButton query={query} />
        </section>
        <Stack gap="lg" miw={0}>
          <AnsweringSolutions claim={claim} canEdit={canEdit} acts={acts} />
          <Lineage claim={claim} canEdit={canEdit} acts={acts} />
          <Notes claim={claim} canEdit={canEdit} />
          <Together rows={3} height={48}>
            <Stack gap="lg">
              <Discussion about={claim.reference} owner={claim.owner} />
              <History about={claim.reference} />
            </Stack>
          </Together>
        </Stack>
      </SimpleGrid>
    </Page>
  )
}

const KindLabel = ({ kind }: KindProps) => {
  const { icon: Icon, label } = LOOKS[kind]
  return (
    <Group gap="xs" wrap="nowrap" c="dimmed">
      <Icon size={15} stroke={1.6} aria-hidden />
      <Text size="sm">{label}</Text>
    </Group>
  )
}
