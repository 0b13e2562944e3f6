// Whether somebody is waiting for the person at this screen: the title of the tab says so.
class Turn {
  mine = $state(false);
}

export const turn = new Turn();
