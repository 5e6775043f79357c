"""How mailboxes are called: the model's names on the wire, and below the root of a machine.

On a server whose mailboxes all lie below INBOX, as Courier has them, "Work/a" is "INBOX.Work.a" there, and its folder is
Work/a, since new accounts hide the prefix.
"""
below_inbox = False


def wire(name):
    return "INBOX." + name.replace("/", ".") if below_inbox and name != "INBOX" else name


def unwire(name):
    return name[len("INBOX."):].replace(".", "/") if below_inbox and name.startswith("INBOX.") else name


def place(root, name):
    return f"{root}/{name}"


def unplace(folder):
    return folder
