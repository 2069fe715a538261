CREATE NODE TABLE city(id INT32, label STRING, PRIMARY KEY(id)) WITH (storage = '', format = 'icebug-disk');
CREATE NODE TABLE person(name STRING, age INT32, PRIMARY KEY(name)) WITH (storage = '', format = 'icebug-disk');
CREATE REL TABLE knows(FROM person TO person, minutes INT32) WITH (storage = '', format = 'icebug-disk');
CREATE REL TABLE livesin(FROM person TO city) WITH (storage = '', format = 'icebug-disk');
