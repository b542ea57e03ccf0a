import { Button, Menu } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconChevronDown, IconGitMerge } from '@tabler/icons-react'
import { CLAIM_STATES } from '../../../../schemas/domain/vocabulary.ts'
import { SearchPicker } from '../../parts/evidence/choose.tsx'
import { useKeys } from '../../shell/keys.ts'
import type { Claim } from './use-claim.ts'
import type { ClaimActs } from './use-claim-acts.ts'

interface Props {
  readonly claim: Claim
  readonly acts: ClaimActs
}

const MEANS = {
  emerging: 'Signals come in, nobody has looked',
  established: 'People stand behind it',
  addressed: 'Resolved: what it says is answered',
  dismissed: 'It is none; takes no more evidence',
} as const

/** Resolving the claim, and merging it into one that a person chooses. */
export const ClaimActions = ({ claim, acts }: Props) => {
  const [choosing, { open, close }] = useDisclosure()
  useKeys([
    { key: 'm', does: 'Merge into another claim', run: open },
    { key: 'z', does: 'Undo', run: acts.undoLast },
  ])
  return (
    <>
      <Menu position="bottom-end" width={280}>
        <Menu.Target>
          <Button
            size="xs"
            variant="default"
            disabled={acts.busy}
            rightSection={<IconChevronDown size={14} aria-hidden />}
          >
            Resolve
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {CLAIM_STATES.filter(state => state !== claim.state).map(state => (
            <Menu.Item key={state} onClick={() => acts.setState(state)}>
              <strong>{state}</strong>
              <br />
              {MEANS[state]}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      <Button
        size="xs"
        variant="default"
        leftSection={<IconGitMerge size={14} aria-hidden />}
        disabled={acts.busy}
        onClick={open}
      >
        Merge into…
      </Button>
      <SearchPicker
        type="claim"
        title={`Merge ${claim.reference} into`}
        about="Its evidence and Solutions go over, and its reference leads there. You can undo it."
        start={claim.title}
        marked={claim.kept_apart.map(apart => apart.claim)}
        mark="kept apart until now"
        except={[claim.reference, ...claim.merged_references]}
        opened={choosing}
        onClose={close}
        onChoose={into => acts.mergeInto(into)}
      />
    </>
  )
}
