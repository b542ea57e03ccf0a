import { Button, Menu } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconChevronDown, IconGitMerge, IconPencil } from '@tabler/icons-react'
import { CLAIM_KINDS, CLAIM_STATES } from '../../../../schemas/domain/vocabulary.ts'
import { t, word } from '../../language/messages.ts'
import { SearchPicker } from '../../parts/evidence/search-picker.tsx'
import { undoKeys, useKeys } from '../../shell/keys.ts'
import type { Claim, ClaimActs } from './use-claim.ts'

interface ClaimActionsProps {
  readonly claim: Claim
  readonly acts: ClaimActs
  readonly onRename: () => void
}

const MEANS = {
  emerging: t('Signals come in, nobody has looked'),
  established: t('People have confirmed it'),
  addressed: t('Resolved: what it says is answered'),
  dismissed: t('Not a claim; it takes no more evidence'),
} as const

/** Renaming and resolving the claim, and merging it into one that a person chooses. */
export const ClaimActions = ({ claim, acts, onRename }: ClaimActionsProps) => {
  const [choosing, { open, close }] = useDisclosure()
  useKeys([
    { key: 'e', does: t('Rename the claim'), run: onRename },
    { key: 'm', does: t('Merge into another claim'), run: open },
    ...undoKeys(acts.undoLast),
  ])
  const button = { size: 'xs', variant: 'default', disabled: acts.busy } as const
  return (
    <>
      <Button {...button} leftSection={<IconPencil size={14} aria-hidden />} onClick={onRename}>
        {t('Rename')}
      </Button>
      <Menu position="bottom-end" width={280}>
        <Menu.Target>
          <Button {...button} rightSection={<IconChevronDown size={14} aria-hidden />}>
            {t('Resolve')}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {CLAIM_STATES.filter(state => state !== claim.state).map(state => (
            <Menu.Item key={state} onClick={() => acts.setState(state)}>
              <strong>{word(state)}</strong>
              <br />
              {MEANS[state]}
            </Menu.Item>
          ))}
          <Menu.Divider />
          {CLAIM_KINDS.filter(kind => kind !== claim.kind).map(kind => (
            <Menu.Item key={kind} onClick={() => acts.setKind(kind)}>
              {t('Kind: {kind}', { kind: word(kind) })}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      <Button {...button} leftSection={<IconGitMerge size={14} aria-hidden />} onClick={open}>
        {t('Merge into…')}
      </Button>
      <SearchPicker
        type="claim"
        title={t('Merge {reference} into', { reference: claim.reference })}
        about={t('Its evidence and Solutions move to the other claim, and its reference leads there. You can undo it.')}
        start={claim.title}
        same={{ kind: 'claim', id: claim.id }}
        marked={claim.kept_apart.map(apart => apart.claim)}
        mark={t('someone said: not the same')}
        except={[claim.reference, ...claim.merged_references]}
        whyNot={t('this claim itself')}
        opened={choosing}
        onClose={close}
        onChoose={into => acts.mergeInto(into)}
      />
    </>
  )
}
