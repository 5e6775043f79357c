/// The schemas of the tools, as clients get them and as they are installed (`mcp-search.json` and the others).
///
/// ToolTests compares the two.
enum ToolSchemas {
  static func arguments(of tool: AgentTool) -> String {
    switch tool {
    case .search:
      #"""
      {"type":"object","properties":{"query":{"type":"string","maxLength":4000,"description":"as in magnum-query(7)"},\#
      "sort":{"enum":["newest","oldest"],"type":"string","default":"newest"},"limit":{"type":"integer","minimum":1,\#
      "maximum":50,"default":20},"collapse":{"type":"boolean","description":"only the newest message of each thread"},\#
      "cursor":{"type":"string","maxLength":200,"description":"next of the page before"}},"required":["query"],\#
      "additionalProperties":false}
      """#
    case .show:
      #"""
      {"type":"object","properties":{"id":{"type":"string","minLength":1,"maxLength":1000,"description":"as search gave it"},\#
      "page":{"type":"integer","minimum":1,"maximum":64,"default":1},"part":{"type":"string","maxLength":100,\#
      "description":"a message inside, by the number in parts"},"quotes":{"type":"boolean","description":"with quoted lines"},\#
      "links":{"type":"boolean","description":"list links to web pages"},"headers":{"type":"array","items":{\#
      "type":"string","minLength":1,"maxLength":100},"maxItems":10}},"required":["id"],"additionalProperties":false}
      """#
    case .status:
      #"""
      {"type":"object","properties":{},"required":[],"additionalProperties":false}
      """#
    case .draft:
      #"""
      {"type":"object","properties":{"account":{"type":"string","maxLength":100},"reply":{"type":"string",\#
      "minLength":1,"maxLength":1000,"description":"the id of the message to answer"},"forward":{"type":"string",\#
      "minLength":1,"maxLength":1000,"description":"the id of the message to forward"},"all":{"type":"boolean",\#
      "description":"answer to all"},"to":{"type":"array","items":{"type":"string","minLength":3,"maxLength":320},\#
      "maxItems":50},"cc":{"type":"array","items":{"type":"string","minLength":3,"maxLength":320},"maxItems":50},\#
      "subject":{"type":"string","maxLength":1000},"text":{"type":"string","maxLength":262144},"quote":{"type":"boolean",\#
      "description":"quote the answered message; true by default"},"replaces":{"type":"string","minLength":16,\#
      "maxLength":16,"description":"a draft of this agent"},"discard":{"type":"string","minLength":16,"maxLength":16,\#
      "description":"a draft of this agent; nothing else is given then"}},"required":[],"additionalProperties":false}
      """#
    case .attachment:
      #"""
      {"type":"object","properties":{"id":{"type":"string","minLength":1,"maxLength":1000},"part":{\#
      "type":"string","maxLength":100},"page":{"type":"integer","minimum":1,"maximum":64,"default":1}},\#
      "required":["id","part"],"additionalProperties":false}
      """#
    case .send:
      #"""
      {"type":"object","properties":{"draft":{"type":"string","minLength":16,"maxLength":16,\#
      "description":"a draft of this agent, unchanged since"}},"required":["draft"],"additionalProperties":false}
      """#
    case .act:
      #"""
      {"type":"object","properties":{"do":{"enum":["read","unread","flag","unflag","tag","archive","move",\#
      "junk","notjunk","delete"],"type":"string"},"ids":{"type":"array","items":{"type":"string",\#
      "minLength":1,"maxLength":1000},"minItems":1,"maxItems":50},"folder":{"type":"string",\#
      "maxLength":500,"description":"which copy, where there are several"},"to":{"type":"string",\#
      "maxLength":500,"description":"for move"},"add":{"type":"array","items":{"type":"string",\#
      "maxLength":100},"maxItems":20,"description":"for tag"},"remove":{"type":"array","items":{\#
      "type":"string","maxLength":100},"maxItems":20}},"required":["do","ids"],\#
      "additionalProperties":false}
      """#
    case .undo:
      #"""
      {"type":"object","properties":{"act":{"type":"integer","minimum":1,\#
      "description":"the number that act gave"}},"required":["act"],"additionalProperties":false}
      """#
    }
  }

  static func result(of tool: AgentTool) -> String {
    switch tool {
    case .search:
      #"""
      {"type":"object","properties":{"version":{"const":1},"count":{"type":"integer","minimum":0},"next":{\#
      "type":"string"},"changed":{"type":"boolean","description":"the mail is not what it was for the page before"},\#
      "messages":{"type":"array","items":{"type":"object","properties":{"date":{"type":"string"},"size":{"type":"integer",\#
      "minimum":0},"unread":{"type":"boolean"},"flagged":{"type":"boolean"},"attachments":{"type":"boolean"},\#
      "thread":{"type":"string"},"in-thread":{"type":"integer","minimum":0},"by":{"const":"agent"},"mail":{\#
      "type":"object","properties":{"id":{"type":"string"},"from":{"type":"array","items":{"type":"string"}},\#
      "to":{"type":"array","items":{"type":"string"}},"more":{"type":"integer","minimum":0},"subject":{"type":"string"},\#
      "tags":{"type":"array","items":{"type":"string"}},"folders":{"type":"array","items":{"type":"string"}}},\#
      "required":["id","from","to","subject","tags","folders"],"additionalProperties":false}},"required":["date",\#
      "size","unread","flagged","attachments","thread","in-thread","mail"],"additionalProperties":false}}},\#
      "required":["version","count","changed","messages"],"additionalProperties":false}
      """#
    case .show:
      #"""
      {"type":"object","properties":{"version":{"const":1},"messages":{"type":"array","items":{"type":"object",\#
      "properties":{"date":{"type":"string"},"size":{"type":"integer","minimum":0},"page":{"type":"integer",\#
      "minimum":0},"pages":{"type":"integer","minimum":0},"quoted-lines":{"type":"integer","minimum":0},"removed":{\#
      "type":"integer","minimum":0},"forms":{"type":"array","items":{"enum":["plain","html"]}},"encrypted":{\#
      "type":"boolean"},"signed":{"type":"boolean"},"authenticated":{"enum":["pass","fail","unknown"]},"known":{\#
      "enum":["written-to","seen","new"]},"own":{"enum":["sent","claimed","no"]},"by":{"const":"agent"},"parts":{"type":"array","items":{\#
      "type":"object","properties":{"part":{"type":"string"},"size":{"type":"integer","minimum":0},"here":{\#
      "type":"boolean"},"message":{"type":"boolean"},"mail":{"type":"object","properties":{"name":{"type":"string"},\#
      "type":{"type":"string"}},"required":["type"],"additionalProperties":false}},"required":["part","size",\#
      "here","message","mail"],"additionalProperties":false}},"parts-left":{"type":"integer","minimum":0},\#
      "links-left":{"type":"integer","minimum":0},"text-left":{"type":"integer","minimum":0},"mail":{"type":"object",\#
      "properties":{"id":{"type":"string"},"from":{"type":"array","items":{"type":"string"}},"to":{"type":"array",\#
      "items":{"type":"string"}},"cc":{"type":"array","items":{"type":"string"}},"reply-to":{"type":"array",\#
      "items":{"type":"string"}},"more":{"type":"integer","minimum":0},"subject":{"type":"string"},"tags":{\#
      "type":"array","items":{"type":"string"}},"folders":{"type":"array","items":{"type":"string"}},"headers":{\#
      "type":"array","items":{"type":"object","properties":{"name":{"type":"string"},"value":{"type":"string"}},\#
      "required":["name","value"],"additionalProperties":false}},"text":{"type":"string"},"links":{"type":"array",\#
      "items":{"type":"object","properties":{"text":{"type":"string"},"host":{"type":"string"},"url":{"type":"string"}},\#
      "required":["text","host","url"],"additionalProperties":false}}},"required":["id","from","to","cc","subject",\#
      "tags","folders","text"],"additionalProperties":false}},"required":["date","size","page","pages","quoted-lines",\#
      "removed","forms","encrypted","signed","authenticated","known","own","parts","mail"],"additionalProperties":false}}},\#
      "required":["version",\#
      "messages"],"additionalProperties":false}
      """#
    case .status:
      #"""
      {"type":"object","properties":{"version":{"const":1},"rights":{"type":"array","items":{\#
      "type":"string"}},"limits":{"type":"object","additionalProperties":{"type":"object","properties":{\#
      "left":{"type":"integer"},"until":{"type":"string"}},"required":["left"],\#
      "additionalProperties":false}},"accounts":{"type":"array","items":{"type":"object","properties":{\#
      "name":{"type":"string"},"synced":{"type":"integer","minimum":0,\#
      "description":"seconds since the last sync"}},"required":["name"],"additionalProperties":false}},\#
      "drafts":{"type":"array","items":{"type":"object","properties":{"draft":{"type":"string"},"date":{\#
      "type":"string"}},"required":["draft","date"],"additionalProperties":false}},"held":{"type":"array",\#
      "items":{"type":"object","properties":{"entry":{"type":"string"},"draft":{"type":"string"},\#
      "state":{"enum":["held","released","sent","discarded","taken-back"]}},\#
      "required":["entry","draft","state"],"additionalProperties":false}}},"required":["version","rights",\#
      "limits","accounts","drafts","held"],"additionalProperties":false}
      """#
    case .draft:
      #"""
      {"type":"object","properties":{"version":{"const":1},"draft":{"type":"string"},"warnings":{"type":"array",\#
      "items":{"enum":["not-in-thread","no-attachment","no-subject","no-recipients","attachments-left-out","text-cut",\#
      "not-searchable"]}},"mail":{"type":"object","properties":{"to":{"type":"array","items":{"type":"string"}},\#
      "cc":{"type":"array","items":{"type":"string"}},"subject":{"type":"string"}},"required":["to","cc","subject"],\#
      "additionalProperties":false}},"required":["version","draft","warnings"],"additionalProperties":false}
      """#
    case .attachment:
      #"""
      {"type":"object","properties":{"version":{"const":1},"page":{"type":"integer"},"pages":{\#
      "type":"integer"},"removed":{"type":"integer"},"text-left":{"type":"integer"},"mail":{\#
      "type":"object","properties":{"name":{"type":"string"},"type":{"type":"string"},"text":{\#
      "type":"string"}},"required":["type","text"],"additionalProperties":false}},"required":["version",\#
      "page","pages","removed","mail"],"additionalProperties":false}
      """#
    case .send:
      #"""
      {"type":"object","properties":{"version":{"const":1},"entry":{"type":"string"},"state":{"const":"held"}},\#
      "required":["version","entry","state"],"additionalProperties":false}
      """#
    case .act:
      #"""
      {"type":"object","properties":{"version":{"const":1},"act":{"type":"integer"},"done":{\#
      "type":"integer"},"left":{"type":"integer"}},"required":["version","done","left"],\#
      "additionalProperties":false}
      """#
    case .undo:
      #"""
      {"type":"object","properties":{"version":{"const":1},"act":{"type":"integer"},"done":{\#
      "type":"integer"},"left":{"type":"integer"}},"required":["version","done","left"],\#
      "additionalProperties":false}
      """#
    }
  }
}
